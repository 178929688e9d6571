/** Names within Arabic texts. */
import { isolate } from "../isolate.ts";

/** A name in quotation marks. */
export const quoted = (name: string): string => `«${isolate(name)}»`;
