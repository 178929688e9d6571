/** An input: where a run starts, with what it was given; in the middle of a run, where it waits for somebody. */
import { isRecord, type JsonObject, type JsonValue } from "../../json.ts";
import type { InputDefinition, InputField } from "../../workflows/input-field.ts";
import { MINUTE, type StepKind } from "../step-kind.ts";

/** The text of a file, by its id. */
type ReadText = (fileId: string) => Promise<string>;

export const input: StepKind<"input"> = {
  compile(step, _, { isStart, asked }) {
    if (!isStart) return { kind: "wait" };
    const definition = { ...asked, ...step.input };
    if (!Object.values(definition).some(wantsContents)) return { kind: "pure", evaluate: (scope) => scope.input };
    return {
      kind: "effect",
      tries: 1,
      timeout: 5 * MINUTE,
      run: ({ input }, { app_id }, effects) =>
        withContents(definition, input, (fileId) => effects.fileText(app_id, fileId)),
    };
  },
};

function wantsContents(field: InputField): boolean {
  if (field.type === "object") return Object.values(field.fields).some(wantsContents);
  return field.type === "file" && field.extract_contents === true;
}

async function withContents(
  definition: InputDefinition,
  values: Readonly<Record<string, unknown>>,
  read: ReadText,
): Promise<JsonObject> {
  const entries = Object.entries(values).map(async ([name, value]): Promise<[string, JsonValue]> => {
    const field = Object.hasOwn(definition, name) ? definition[name] : undefined;
    const given = value as JsonValue; // a part of JSON is JSON
    return [name, field === undefined ? given : await fieldContents(field, given, read)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function fieldContents(field: InputField, value: JsonValue, read: ReadText): Promise<JsonValue> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => fieldContents(field, item, read)));
  if (!isRecord(value) || !wantsContents(field)) return value;
  if (field.type === "object") return withContents(field.fields, value, read);
  return { ...value, contents: await read(String(value["id"])) };
}
