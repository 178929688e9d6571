/** The same for services and trigger types. */
export const token = { title: "Token", description: "Wird als Authorization: Bearer TOKEN gesendet." };
