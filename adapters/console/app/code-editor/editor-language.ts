/** The languages of the editor. Those with a grammar of their own are loaded with the first text in them. */
import { StreamLanguage } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { celMode, templateMode } from "./cel-mode.ts";

/** `expression` is CEL, `template` a text with `{{ expressions }}`. */
export type EditorLanguage = "json" | "javascript" | "typescript" | "expression" | "template" | "plain";

const cel = StreamLanguage.define(celMode);
const template = StreamLanguage.define(templateMode);

export async function languageOf(language: EditorLanguage): Promise<Extension> {
  switch (language) {
    case "json":
      return (await import("./json-language.ts")).jsonLanguage();
    case "javascript":
      return (await import("./javascript-language.ts")).javascriptLanguage(false);
    case "typescript":
      return (await import("./javascript-language.ts")).javascriptLanguage(true);
    case "expression":
      return cel;
    case "template":
      return template;
    case "plain":
      return [];
  }
}
