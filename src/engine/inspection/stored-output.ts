/** Starts of outputs that are stored as documents of their own. They are read as text and not parsed: they may have megabytes. */
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import type { ItemError } from "../../runs/run-step.ts";
import { inNextTurn } from "../../time/system-clock.ts";
import type { ItemResults } from "../progress/for-each.ts";
import type { LargeValue } from "../state/large-values.ts";
import { cutStored, ESCAPE_CHARS } from "./cut-stored.ts";
import type { CutJson } from "./json-preview.ts";
import { fieldsOf, itemOf, parsedItems, type Scan, type Span, valueOfPair } from "./stored-json.ts";

/** Where the value begins in the text of its document. */
const VALUE_START = '{"value":'.length;
/** Characters that show that there is more, and where a pair ends. */
const MORE_CHARS = 2;

interface Sources {
  readonly store: Pick<Store, "getText">;
  readonly clock: Clock;
}

/**
 * Returns the start of a value that is longer than the limit. Reads no more of its text than that, unless characters are escaped.
 * @param limit Bytes.
 */
export async function startOfValue(
  { store, clock }: Sources,
  { at: key, chars = 0 }: LargeValue,
  limit: number,
): Promise<CutJson | null> {
  const most = limit + MORE_CHARS;
  for (const length of [most, most * ESCAPE_CHARS]) {
    const text = await store.getText(key, VALUE_START + length);
    if (text === null) return null;
    const cut = await inTurns(cutStored(text.slice(VALUE_START), limit, chars), clock);
    if (cut !== null) return cut;
  }
  return null;
}

/** The results of items without their outputs, and the start of the output that was asked for. */
export interface ResultsStart {
  /** With the output if it is not longer than the limit. */
  readonly results: ItemResults;
  /** Null if it is not longer. */
  readonly start: CutJson | null;
}

/** @param item Index of an item. Default: the output of the step. */
export async function startOfResults(
  { store, clock }: Sources,
  { at: key, chars = 0 }: LargeValue,
  limit: number,
  item: number | undefined,
): Promise<ResultsStart | null> {
  const text = await store.getText(key);
  if (text === null) return null;
  const fields = await inTurns(fieldsOf(text, VALUE_START), clock);
  const at = (name: keyof ItemResults) => fields.get(name)?.start ?? 0;
  const { start, end } = fields.get("counts") ?? NOWHERE;
  const counts: ItemResults["counts"] = JSON.parse(text.slice(start, end));
  const errors = await inTurns(parsedItems<ItemError>(text, at("errors")), clock);
  const results = { counts, errors, output: null, done: [] };
  if (item === undefined) {
    const found = await shown(text, fields.get("output"), { limit, chars, clock });
    return { results: { ...results, output: found.value }, start: found.start };
  }
  const hasOutput = text.charAt(at("output")) === "[";
  const span = await inTurns(hasOutput ? itemOf(text, at("output"), item) : valueOfPair(text, at("done"), item), clock);
  if (span === undefined) return { results, start: null };
  const found = await shown(text, span, { limit, chars, clock });
  if (!hasOutput) return { results: { ...results, done: [[item, found.value]] }, start: found.start };
  const output = Array.from({ length: counts.total }, (_, index) => (index === item ? found.value : null));
  return { results: { ...results, output }, start: found.start };
}

const NOWHERE: Span = { start: 0, end: 0 };

/** The value, or null and its start if it is longer than the limit. */
async function shown(
  text: string,
  { start, end }: Span = NOWHERE,
  { limit, chars, clock }: { readonly limit: number; readonly chars: number; readonly clock: Clock },
): Promise<{ readonly value: JsonValue; readonly start: CutJson | null }> {
  const most = start + (limit + MORE_CHARS) * ESCAPE_CHARS;
  const cut = await inTurns(
    cutStored(text.slice(start, Math.min(end, most)), limit, Math.min(chars, end - start)),
    clock,
  );
  return cut === null ? { value: JSON.parse(text.slice(start, end)), start: null } : { value: null, start: cut };
}

async function inTurns<Result>(scan: Scan<Result>, clock: Clock): Promise<Result> {
  for (;;) {
    const step = scan.next();
    if (step.done === true) return step.value;
    await new Promise<void>((resolve) => inNextTurn(clock, resolve));
  }
}
