/** The same for services and trigger types. */
export const token = { title: "الرمز المميّز", description: "يُرسل بالصيغة \u2068Authorization: Bearer TOKEN\u2069." };
