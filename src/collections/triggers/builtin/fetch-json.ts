/** Fetches the JSON that a trigger type polls. */
import * as v from "valibot";
import { MEBIBYTE, readBytes } from "../../../encoding/bytes.ts";
import { StepwellError } from "../../../errors.ts";
import { type JsonValue, parseJson } from "../../../json.ts";
import type { TriggerContext } from "../trigger-type.ts";

/** Bytes of a response. */
const MAX_BYTES = 8 * MEBIBYTE;

/** A URL that is polled. */
export const PolledUrl = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/[^\s]{1,4096}$/i, "Must be a URL that starts with https:// or http://."),
);

/** @throws StepwellError `fetch_failed`, also for a response that reports an error; `malformed` */
export async function fetchJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  { fetch, signal }: Pick<TriggerContext<unknown>, "fetch" | "signal">,
): Promise<JsonValue> {
  const response = await fetch(url, {
    headers: { accept: "application/json", ...headers },
    signal,
    maxBytes: MAX_BYTES,
  });
  const bytes = await readBytes(response.body);
  if (!response.ok) throw pollFailed(`The URL responded with the status ${response.status}.`);
  return parseJson(new TextDecoder().decode(bytes));
}

export const pollFailed = (message: string) => new StepwellError("fetch_failed", message);
