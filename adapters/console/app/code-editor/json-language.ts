import { json } from "@codemirror/lang-json";
import type { Extension } from "@codemirror/state";

export const jsonLanguage = (): Extension => json();
