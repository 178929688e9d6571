/**
 * Divides large values into parts of JSON for their way between threads. A text of megabytes would hold the event loop while
 * it is copied, and again while it is parsed.
 */
import { approximateJsonSize, isJsonObject, type JsonObject, type JsonValue } from "../../src/json.ts";

/** JSON: between threads, as UTF-8. */
export type Part = string | Uint8Array;

/** A value: short ones as JSON. */
export type Parcel = string | TextParcel | ListParcel | ObjectParcel;

/** A long text, as consecutive texts in JSON. */
interface TextParcel {
  readonly texts: readonly Part[];
}

interface ListParcel {
  readonly items: readonly (Run | { readonly item: Parcel })[];
}

interface ObjectParcel {
  readonly fields: readonly (Run | { readonly key: string; readonly item: Parcel })[];
}

/** Consecutive short items as a list in JSON, or fields as an object. */
interface Run {
  readonly run: Part;
}

/** A value from a parcel. */
export interface Opened {
  readonly value: JsonValue;
  /** Its JSON, in parts. */
  readonly json: readonly string[];
}

/**
 * About the length of a part, in characters: a millisecond of work. V8 copies texts of less than 128 KiB twice while they
 * are young, several megabytes in one turn.
 */
export const PART_CHARS = 256 * 1024;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function partText(part: Part): string {
  return typeof part === "string" ? part : decoder.decode(part);
}

export function packed(value: JsonValue): Parcel {
  if (isShort(value)) return JSON.stringify(value);
  if (typeof value === "string") return { texts: slicesOf(value).map((text) => JSON.stringify(text)) };
  if (Array.isArray(value)) {
    const runs = inRuns(value, charsOf);
    return {
      items: runs.map((run) => (Array.isArray(run) ? { run: JSON.stringify(run) } : { item: packed(run.long) })),
    };
  }
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  const fields = inRuns(entries, ([key, item]) => key.length + 3 + charsOf(item)).map((run) => {
    if (Array.isArray(run)) return { run: JSON.stringify(Object.fromEntries(run)) };
    const [key, item] = run.long;
    return { key, item: packed(item) };
  });
  return { fields };
}

const isShort = (value: JsonValue) => approximateJsonSize(value, PART_CHARS) <= PART_CHARS;

/** With a comma. */
const charsOf = (value: JsonValue) => approximateJsonSize(value, PART_CHARS) + 1;

/** Consecutive slices. JSON escapes a pair of surrogates that is divided, and joins it again. */
export function slicesOf(text: string): readonly string[] {
  const count = Math.ceil(text.length / PART_CHARS);
  return Array.from({ length: count }, (_, at) => text.slice(at * PART_CHARS, (at + 1) * PART_CHARS));
}

function inRuns<Item>(items: readonly Item[], charsOfItem: (item: Item) => number): (Item[] | { long: Item })[] {
  const runs: (Item[] | { long: Item })[] = [];
  let open: Item[] = [];
  let chars = 0;
  const end = () => {
    if (open.length > 0) runs.push(open);
    open = [];
    chars = 0;
  };
  for (const item of items) {
    const more = charsOfItem(item);
    if (chars + more > PART_CHARS) end();
    if (more > PART_CHARS) runs.push({ long: item });
    else open.push(item);
    if (more <= PART_CHARS) chars += more;
  }
  end();
  return runs;
}

/** @param pause Called after each part, with its length. */
export async function opened(parcel: Parcel, pause: (chars: number) => Promise<void> | null): Promise<Opened> {
  const json: string[] = [];

  async function next(part: Part): Promise<string> {
    await pause(part.length);
    return partText(part);
  }

  async function text({ texts }: TextParcel): Promise<string> {
    let value = "";
    json.push('"');
    for (const part of texts) {
      const quoted = await next(part);
      const escaped = quoted.slice(1, -1); // V8 copies neither this nor what it is added to
      value += escaped.includes("\\") ? JSON.parse(quoted) : escaped;
      json.push(escaped);
    }
    json.push('"');
    return value;
  }

  async function list({ items }: ListParcel): Promise<JsonValue> {
    const lists: JsonValue[][] = [];
    for (const [at, part] of items.entries()) {
      json.push(at === 0 ? "[" : ",");
      if ("item" in part) {
        lists.push([await open(part.item)]);
        continue;
      }
      const run = await next(part.run);
      lists.push(JSON.parse(run));
      json.push(run.slice(1, -1));
    }
    json.push("]");
    const none: JsonValue[] = [];
    return none.concat(...lists); // allocates once: a list that grows is copied again and again
  }

  async function object({ fields }: ObjectParcel): Promise<JsonValue> {
    const value: JsonObject = {};
    for (const [at, part] of fields.entries()) {
      json.push(at === 0 ? "{" : ",");
      if ("item" in part) {
        json.push(`${JSON.stringify(part.key)}:`);
        value[part.key] = await open(part.item);
        continue;
      }
      const run = await next(part.run);
      Object.assign(value, JSON.parse(run));
      json.push(run.slice(1, -1));
    }
    json.push("}");
    return value;
  }

  async function open(one: Parcel): Promise<JsonValue> {
    if (typeof one !== "string") return "texts" in one ? text(one) : "items" in one ? list(one) : object(one);
    json.push(one);
    return JSON.parse(await next(one));
  }

  return { value: await open(parcel), json };
}
