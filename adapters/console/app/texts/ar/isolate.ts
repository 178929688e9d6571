/** Texts of any direction within Arabic ones. */

/** Keeps the order of what stands around a text, such as a name in Latin letters, or a path. */
export const isolate = (text: string): string => `\u2068${text}\u2069`;

/** A name in quotation marks. */
export const quoted = (name: string): string => `«${isolate(name)}»`;
