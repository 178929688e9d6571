/** Parts of JSON Pointers (RFC 6901). */

/** A name as a part of a pointer. */
export const pointerPart = (name: string | number): string => String(name).replaceAll("~", "~0").replaceAll("/", "~1");

/** The names in a pointer; none for the pointer of the whole value. */
export const pointerNames = (pointer: string): string[] => pointer.split("/").slice(1).map(pointerName);

/** The name that a part of a pointer stands for. */
export const pointerName = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");
