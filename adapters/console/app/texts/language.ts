/** The texts of the console. English is always there; another language is a file of its own. */
import { createContext, useContext } from "react";
import type { Language } from "../../../../src/web-pages/languages.ts";
import { en } from "./en/index.ts";
import type { Messages } from "./messages.ts";

/** Each is a file of its own, loaded with the first page in that language. */
const LOADERS: Readonly<Record<Exclude<Language, "en">, () => Promise<Messages>>> = {
  de: async () => (await import("./de/index.ts")).de,
  fr: async () => (await import("./fr/index.ts")).fr,
  es: async () => (await import("./es/index.ts")).es,
  ja: async () => (await import("./ja/index.ts")).ja,
  ar: async () => (await import("./ar/index.ts")).ar,
};

export async function loadMessages(language: Language): Promise<Messages> {
  return language === "en" ? en : LOADERS[language]();
}

export const MessagesContext = createContext<Messages>(en);

export const useTexts = (): Messages => useContext(MessagesContext);
