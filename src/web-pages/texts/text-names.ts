import type { en } from "./en.ts";

export type TextName = keyof typeof en;

/** All texts of a language. A missing one and a further one are compile errors. */
export type Texts = Readonly<Record<TextName, string>>;
