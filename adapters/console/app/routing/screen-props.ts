/** What screens get, and the sections of an app that they belong to. */
import type { SessionAnswer } from "../session/session.ts";
import type { Params } from "./match.ts";

export const SECTIONS = [
  "overview",
  "workflows",
  "runs",
  "inbox",
  "files",
  "collections",
  "schedules",
  "webhooks",
  "connections",
  "keys",
] as const;
export type Section = (typeof SECTIONS)[number];

/** The path of a section of an app. */
export const sectionPath = (appId: string, name: Section): string =>
  name === "overview" ? `/apps/${appId}` : `/apps/${appId}/${name}`;

export interface ScreenProps {
  /** Parameters of the address. Below an app, `app` is its id. */
  readonly params: Params;
  /** Changes the session, such as when an admin opens an app. */
  readonly onSession: (answer: SessionAnswer) => void;
}
