/** Keys that the server refuses for any step: one is no field of an object, and no address can contain the others. */
const FORBIDDEN = ["__proto__", ".", ".."];

export const isForbiddenKey = (key: string): boolean => FORBIDDEN.includes(key);
