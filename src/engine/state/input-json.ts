/**
 * The JSON of long inputs of runs. The document of a run has its input, as given and as steps see it, and is stored several
 * times: to write all of it each time would hold the event loop.
 */
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { isLongJson, jsonInParts } from "../../encoding/json/json-parts.ts";
import { StepwellError } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import { groupedDigits } from "../../messages/grouped-digits.ts";

interface Inputs {
  readonly input: JsonObject;
  readonly values: JsonObject;
}

const texts = new WeakMap<object, string>();

/** Each of the two, with escape characters. The document with both must fit into a string of V8. */
const MAX_CHARS = 128 * MEBIBYTE;

/**
 * Writes the input of a new run in parts. Null if it is short. @param pause Called after each part.
 * @throws StepwellError `too_large`
 */
export function writeInput({ input, values }: Inputs, pause: () => Promise<void>): Promise<void> | null {
  return isLongJson(input) || isLongJson(values) ? write([input, values], pause) : null;
}

async function write(inputs: readonly JsonObject[], pause: () => Promise<void>): Promise<void> {
  for (const input of inputs) {
    if (texts.has(input)) continue;
    const json = await jsonInParts(input, pause, MAX_CHARS);
    if (json === null) throw inputTooLong();
    texts.set(input, json);
  }
}

const inputTooLong = () =>
  new StepwellError("too_large", `The input of the run exceeds ${groupedDigits(MAX_CHARS)} characters of JSON.`);

export function inputJson(input: object): string | undefined {
  return texts.get(input);
}

/** The JSON of the document of a run whose input is long, if it was written in parts. */
export function runJson(document: Inputs): string | undefined {
  const json = texts.get(document.input);
  const valuesJson = texts.get(document.values);
  if (json === undefined || valuesJson === undefined) return undefined;
  const { input, values, ...rest } = document;
  return `{"input":${json},"values":${valuesJson},${JSON.stringify(rest).slice(1)}`;
}
