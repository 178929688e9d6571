/**
 * The languages of the editor, by their tokens. The server says what is wrong, so that no grammar is needed, which would
 * be as large as the rest of a small editor.
 */
import { StreamLanguage } from "@codemirror/language";
import { javascript, json, typescript } from "@codemirror/legacy-modes/mode/javascript";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { celMode, templateMode } from "./cel-mode.ts";

/** `expression` is CEL, `template` a text with `{{ expressions }}`. */
export type EditorLanguage = "json" | "javascript" | "typescript" | "expression" | "template" | "plain";

/** Names of JSON are `string property`, of which the editor knows only the first part. */
const tokenTable = { property: tags.propertyName };

const LANGUAGES: Readonly<Record<EditorLanguage, Extension>> = {
  json: StreamLanguage.define({ ...json, tokenTable }),
  javascript: StreamLanguage.define(javascript),
  typescript: StreamLanguage.define(typescript),
  expression: StreamLanguage.define(celMode),
  template: StreamLanguage.define(templateMode),
  plain: [],
};

export const languageOf = (language: EditorLanguage): Extension => LANGUAGES[language];
