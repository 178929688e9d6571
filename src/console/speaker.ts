/**
 * For whom a page of the console speaks. All tabs of a browser share a cookie, so that one of them may begin another session
 * while somebody types in the others: what they have typed is not taken with it.
 */
import type { ConsoleSession } from "./session.ts";

/** The header with it. */
export const SPEAKER = "stepwell-speaker";

/** Value of the header: the same for the same person. */
export const speakerOf = ({ kind, person }: Pick<ConsoleSession, "kind" | "person">): string =>
  encodeURIComponent(JSON.stringify([kind, person]));
