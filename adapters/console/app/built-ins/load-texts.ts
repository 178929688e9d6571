/** Loads what a language says of the server's own services and trigger types: with the first screen that shows them. */
import type { Language } from "../../../../src/web-pages/languages.ts";
import type { BuiltInTexts } from "../texts/built-in-texts.ts";

const LOADERS: Readonly<Record<Exclude<Language, "en">, () => Promise<BuiltInTexts>>> = {
  de: async () => (await import("../texts/de/built-ins/index.ts")).builtIns,
  fr: async () => (await import("../texts/fr/built-ins/index.ts")).builtIns,
  es: async () => (await import("../texts/es/built-ins/index.ts")).builtIns,
  ja: async () => (await import("../texts/ja/built-ins/index.ts")).builtIns,
  ar: async () => (await import("../texts/ar/built-ins/index.ts")).builtIns,
};

/** Null for English, which the server speaks. */
export async function loadBuiltInTexts(language: Language): Promise<BuiltInTexts | null> {
  return language === "en" ? null : LOADERS[language]();
}
