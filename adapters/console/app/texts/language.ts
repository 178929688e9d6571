/** The texts of the console. English is always there; another language is a file of its own. */
import { createContext, useContext } from "react";
import type { Language } from "../settings/settings.ts";
import { en } from "./en/index.ts";

/** All texts: those of English give the names. A missing or a further one in another language is a compile error. */
export type Messages = Widened<typeof en>;

/** A text of another language may be any string. */
type Widened<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends string
    ? string
    : Group[Name] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : Widened<Group[Name]>;
};

export async function loadMessages(language: Language): Promise<Messages> {
  if (language === "de") return (await import("./de/index.ts")).de;
  return en;
}

export const MessagesContext = createContext<Messages>(en);

export const useTexts = (): Messages => useContext(MessagesContext);
