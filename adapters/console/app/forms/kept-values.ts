/** What was typed and not sent yet, for this tab: it survives a reload, and leaves with the session. */

import { isTooDeep, type JsonValue, MAX_DEPTH } from "../../../../src/json.ts";
import { forgetUnanswered } from "../server/unanswered.ts";
import { onHandOver, settleBeforeForgetting } from "../session/kept-data.ts";

/** Levels of what is kept: a level of a value takes up to four in an entry. */
const MAX_KEPT_DEPTH = 4 * MAX_DEPTH + 10;

const PREFIX = "stepwell-typed:";

/** @param name Of the form, such as `new-run/app_…/wf_…`. */
export function keepValues(name: string, values: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(values));
  } catch {
    // Without storage, or with too much in it, they hold until the page is left.
  }
}

/** Null if there are none. Another version of the console may have written them: what cannot be read is dropped. */
export function keptValues(name: string): unknown {
  try {
    const kept: JsonValue = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? "null");
    if (!isTooDeep(kept, MAX_KEPT_DEPTH)) return kept;
  } catch {
    // Dropped below.
  }
  dropValues(name);
  return null;
}

export function dropValues(name: string): void {
  try {
    sessionStorage.removeItem(PREFIX + name);
  } catch {
    // Nothing was kept.
  }
}

const OWNER = "stepwell-typed-by";

/** When somebody has signed in: what others have typed in this tab is dropped. */
export function claimValues(owner: string): void {
  try {
    if (sessionStorage.getItem(OWNER) !== owner) dropAllValues();
    sessionStorage.setItem(OWNER, owner);
  } catch {
    // Nothing was kept.
  }
}

onHandOver(async (_, owner) => {
  try {
    sessionStorage.setItem(OWNER, owner);
  } catch {
    // Nothing was kept.
  }
});

/** When somebody signs out. */
export function dropAllValues(): void {
  for (const key of keptKeys()) sessionStorage.removeItem(key);
  forgetUnanswered();
}

settleBeforeForgetting("forms", async () => keptKeys().length === 0);

function keptKeys(): readonly string[] {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    // Nothing was kept.
    return [];
  }
}
