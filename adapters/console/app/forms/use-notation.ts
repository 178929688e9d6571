/** How numbers and moments are written in the language of the page. */
import { createNotation, type Notation } from "../../../../src/forms/model/notation.ts";
import { type Language, localeOf } from "../../../../src/web-pages/languages.ts";
import { useSettings } from "../settings/use-settings.ts";

const notations = new Map<Language, Notation>();

function notationOf(language: Language): Notation {
  const notation = notations.get(language) ?? createNotation(localeOf(language));
  notations.set(language, notation);
  return notation;
}

export const useNotation = (): Notation => notationOf(useSettings().language);
