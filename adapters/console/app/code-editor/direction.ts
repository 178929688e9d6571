/** Code is read from left to right in every language of the page, and a text as it is written. */
import type { EditorLanguage } from "./editor-language.ts";

const TEXTS: ReadonlySet<EditorLanguage> = new Set(["template", "plain"]);

export const directionOf = (language: EditorLanguage): "ltr" | "auto" => (TEXTS.has(language) ? "auto" : "ltr");
