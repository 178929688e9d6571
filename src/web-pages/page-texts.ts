/**
 * The texts of web pages in the language of a page. English is always there. Another language is loaded with the first page
 * in it.
 */
import { directionOf, type Language, localeOf } from "./languages.ts";
import { en } from "./texts/en.ts";
import type { TextName, Texts } from "./texts/text-names.ts";

const LOADERS: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => en,
  de: async () => (await import("./texts/de.ts")).de,
  fr: async () => (await import("./texts/fr.ts")).fr,
  es: async () => (await import("./texts/es.ts")).es,
  ja: async () => (await import("./texts/ja.ts")).ja,
  ar: async () => (await import("./texts/ar.ts")).ar,
};

/** Returns a text with values in the places of their names. */
export type Say = (name: TextName, values?: Readonly<Record<string, string>>) => string;

export interface PageTexts {
  readonly language: Language;
  readonly say: Say;
  /** The texts whose names begin with a prefix, for the script of a page. */
  startingWith(prefix: string): Readonly<Record<string, string>>;
}

export async function loadTexts(language: Language): Promise<PageTexts> {
  const texts = await LOADERS[language]();
  const isFromRight = directionOf(language) === "rtl";
  // Isolated, a value of any direction keeps the order of the text around it.
  const placed = (value: string) => (isFromRight ? `\u2068${value}\u2069` : value);
  return {
    language,
    say: (name, values = {}) =>
      texts[name].replace(/\{(\w+)\}/g, (whole, key) => (values[key] === undefined ? whole : placed(values[key]))),
    startingWith: (prefix) => Object.fromEntries(Object.entries(texts).filter(([name]) => name.startsWith(prefix))),
  };
}

/** A point in time for people, in UTC, because a page without a script does not know their time zone. */
export function readableTime(moment: string, language: Language): string {
  const settings = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(localeOf(language), settings).format(new Date(moment))} UTC`;
}
