/** A form in the terminal for an input definition, as the web page of a form shows it. */

import { pointerNames } from "../../../src/encoding/json-pointer.ts";
import { isStepwellError } from "../../../src/errors.ts";
import type { InputDefinition, InputField } from "../../../src/index.ts";
import type { JsonObject, JsonValue } from "../../../src/json.ts";
import { printable } from "../terminal/shell.ts";
import { type AnswerSources, answerField, answerList, labelOf } from "./field-answers.ts";

type ObjectField = Extract<InputField, { type: "object" }>;

/** Asks for every field, nested ones included. Fields that are hidden or configured by the workflow are left out. */
export async function fillForm(definition: InputDefinition, sources: AnswerSources, prefix = ""): Promise<JsonObject> {
  const values: JsonObject = {};
  const fields = Object.entries(definition)
    .filter(([, { config, display }]) => config !== true && display?.hidden !== true)
    .sort(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0));
  for (const [key, field] of fields) {
    const message = prefix + labelOf(key, field);
    const value = await (async (): Promise<JsonValue | undefined> => {
      switch (field.type) {
        case "content":
          sources.ask.note(printable(field.content ?? ""));
          return undefined;
        case "object": {
          if (field.array !== true)
            return fillObject(message, field, sources, `${prefix}${printable(field.name ?? key)} › `);
          return fillObjects(message, field.fields, sources, field.optional === true);
        }
        // A file field always takes a list of files.
        default:
          return field.array === true ? answerList(message, field, sources) : answerField(message, field, sources);
      }
    })();
    if (value !== undefined) values[key] = field.type === "file" && !Array.isArray(value) ? [value] : value;
  }
  return values;
}

/** Fields of an optional object may be required: it is asked first whether there is one. */
async function fillObject(
  message: string,
  { fields, optional }: ObjectField,
  sources: AnswerSources,
  prefix: string,
): Promise<JsonObject | undefined> {
  if (optional === true && !(await sources.ask.confirm(`${message}: fill in?`, false))) return undefined;
  return fillForm(fields, sources, prefix);
}

async function fillObjects(
  message: string,
  fields: InputDefinition,
  sources: AnswerSources,
  isOptional: boolean,
): Promise<JsonValue[]> {
  const items: JsonValue[] = [];
  while (
    (items.length === 0 && !isOptional) ||
    (await sources.ask.confirm(`${message}: add ${items.length === 0 ? "an" : "another"} entry?`, false))
  ) {
    items.push(await fillForm(fields, sources, `${message} ${items.length + 1} › `));
  }
  return items;
}

/** Fills the form until the server accepts the values. After a refusal, only what was wrong is asked again. */
export async function submitForm<Result>(
  definition: InputDefinition,
  sources: AnswerSources,
  submit: (values: JsonObject) => Promise<Result>,
  /** Where the values are in the request: the pointers of errors start with it. */
  at = "",
): Promise<Result> {
  let values = await fillForm(definition, sources);
  for (;;) {
    try {
      return await submit(values);
    } catch (error) {
      if (!isStepwellError(error, "invalid")) throw error;
      const wrong = new Set(error.errors.map(({ pointer }) => fieldIn(pointer, at)));
      const again = Object.fromEntries(Object.entries(definition).filter(([key]) => wrong.has(key)));
      if (Object.keys(again).length === 0) throw error;
      sources.ask.note(error.errors.map(({ pointer, message }) => printable(`${pointer}: ${message}`)).join("\n"));
      values = { ...values, ...(await fillForm(again, sources)) };
    }
  }
}

function fieldIn(pointer: string, at: string): string {
  const [first = ""] = pointerNames(pointer.slice(at.length));
  return first;
}
