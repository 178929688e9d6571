/** The same for services and trigger types. */
export const token = { title: "Token", description: "Se envía como Authorization: Bearer TOKEN." };
