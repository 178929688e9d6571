/** An input: where a run starts, with what it was given; in the middle of a run, where it waits for somebody. */
import { isRecord, type JsonObject, type JsonValue } from "../../json.ts";
import { type Attempt, type Effects, MINUTE, type StepKind } from "../step-kind.ts";

export const input: StepKind<"input"> = {
  compile(step, _, { isStart }) {
    if (!isStart) return { kind: "wait" };
    const toRead = Object.entries(step.input).flatMap(([name, field]) =>
      field.type === "file" && field.extract_contents === true ? [name] : [],
    );
    if (toRead.length === 0) return { kind: "pure", evaluate: (scope) => scope.input };
    return {
      kind: "effect",
      tries: 1,
      timeout: 5 * MINUTE,
      run: ({ input }, attempt, effects) => withContents(input, toRead, attempt, effects),
    };
  },
};

async function withContents(
  values: JsonObject,
  names: readonly string[],
  { app_id }: Attempt,
  effects: Effects,
): Promise<JsonObject> {
  const read = async (file: JsonValue): Promise<JsonValue> => {
    if (!isRecord(file)) return file;
    const id = String(file["id"]);
    return { ...file, contents: await effects.fileText(app_id, id) };
  };
  const whole = { ...values };
  for (const name of names) {
    const files = whole[name];
    if (Array.isArray(files)) whole[name] = await Promise.all(files.map(read));
  }
  return whole;
}
