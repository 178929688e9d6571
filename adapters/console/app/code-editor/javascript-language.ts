/** Only the syntax: what can be completed is what a step sees, not the globals of a browser. */
import { javascriptLanguage as plain, typescriptLanguage } from "@codemirror/lang-javascript";
import type { Extension } from "@codemirror/state";

export const javascriptLanguage = (isTyped: boolean): Extension => (isTyped ? typescriptLanguage : plain);
