/** The same for services and trigger types. */
export const token = { title: "Jeton", description: "Envoyé sous la forme Authorization: Bearer TOKEN." };
