/** The texts of the console. English is always there; another language is a file of its own. */
import { createContext, useContext } from "react";
import type { Language } from "../settings/settings.ts";
import { en } from "./en/index.ts";
import type { Messages } from "./messages.ts";

export async function loadMessages(language: Language): Promise<Messages> {
  if (language === "de") return (await import("./de/index.ts")).de;
  return en;
}

export const MessagesContext = createContext<Messages>(en);

export const useTexts = (): Messages => useContext(MessagesContext);
