/** What functions of an API returned, in a form that is the same for two services. */

import { isStepwellError } from "../../../src/index.ts";
import { isRecord } from "../../../src/json.ts";

type Function = (...given: readonly unknown[]) => unknown;

export interface Entry {
  /** `group.function`. */
  readonly name: string;
  readonly result: unknown;
}

/** Items of an iteration that are recorded. */
const MAX_ITEMS = 50;

/**
 * Wraps the functions of an API: each result is recorded, and iterations are read to their end.
 * @param entries Where to record.
 */
export function recorded<Api extends object>(api: Api, entries: Entry[]): Api {
  const wrap = (name: string, call: Function) => {
    return (...given: readonly unknown[]) => {
      const found = call(...given);
      if (typeof found === "object" && found !== null && Symbol.asyncIterator in found) {
        return recordItems(name, found as AsyncIterable<unknown>, entries);
      }
      return Promise.resolve(found).then(
        async (result) => {
          entries.push({ name, result: await plain(result) });
          return result;
        },
        (error: unknown) => {
          entries.push({ name, result: refusal(error) });
          throw error;
        },
      );
    };
  };
  const groups = Object.entries(api).map(([group, functions]) => [
    group,
    typeof functions === "function"
      ? wrap(group, functions)
      : Object.fromEntries(
          Object.entries<Function>(functions).map(([name, call]) => [name, wrap(`${group}.${name}`, call)]),
        ),
  ]);
  return Object.fromEntries(groups) as Api; // the same functions
}

/** What both report of an error. Over HTTP, it also has the headers of the response. */
function refusal(error: unknown): unknown {
  if (!isStepwellError(error)) return String(error);
  const { code, status, message, errors, users } = error;
  return { code, status, message, errors, users };
}

async function* recordItems(name: string, items: AsyncIterable<unknown>, entries: Entry[]) {
  const read: unknown[] = [];
  for await (const item of items) {
    if (read.length < MAX_ITEMS) read.push(item);
    yield item;
  }
  entries.push({ name, result: read });
}

/** Streams as text, also within an object. The caller gets a stream that was read. */
async function plain(result: unknown): Promise<unknown> {
  if (result instanceof ReadableStream) return new Response(result).text();
  if (typeof result !== "object" || result === null || !("body" in result)) return result;
  if (!(result.body instanceof ReadableStream)) return result;
  return { ...result, body: await new Response(result.body).text() };
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
/** Keys, ids, secrets and tokens, but no digests. */
const RANDOM = /(?:\b[a-z]+_)?[0-9A-Za-z_+/=-]{24,}/g;
const ORIGIN = /http:\/\/127\.0\.0\.1:\d+/g;

/**
 * The same entries with times, ids and secrets replaced: equal ones by the same number in both transcripts, in the order
 * of their first appearance.
 */
export function comparable(entries: readonly Entry[]): unknown {
  const known = new Map<string, string>();
  const replaced = (text: string) =>
    text
      .replace(ORIGIN, "ORIGIN")
      .replace(TIME, "TIME")
      .replace(/\bexpires=\d+/, "expires=TIME")
      .replace(RANDOM, (found) => {
        if (/^[0-9a-f]{64}$/.test(found) || !/\d/.test(found)) return found;
        const name = known.get(found) ?? `RANDOM ${known.size}`;
        known.set(found, name);
        return name;
      });
  const compared = (value: unknown): unknown => {
    if (typeof value === "string") return replaced(value);
    if (Array.isArray(value)) return value.map(compared);
    if (!isRecord(value)) return value;
    const fields = Object.entries(value).filter(([name]) => !OMITTED.has(name));
    return Object.fromEntries(fields.map(([name, field]) => [replaced(name), compared(field)]));
  };
  return compared(JSON.parse(JSON.stringify(entries)));
}

/** Which key has made a call: in process, there is none. How long something took. */
const OMITTED = new Set(["created_by", "key_id", "key_name", "who", "duration_ms"]);
