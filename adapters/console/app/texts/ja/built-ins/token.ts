/** The same for services and trigger types. */
export const token = { title: "トークン", description: "Authorization: Bearer TOKEN として送信されます。" };
