/** Asks for the value of one field of an input definition. */
import type { InputField } from "../../../src/index.ts";
import type { JsonValue } from "../../../src/json.ts";
import { printable } from "../terminal/shell.ts";
import type { Ask, Choice } from "./ask.ts";

export type ScalarField = Exclude<InputField, { type: "object" | "content" }>;

/** What answers need of a server. */
export interface AnswerSources {
  readonly ask: Ask;
  /** Why a text is no value of the field, as the server would say it; undefined if it is one. */
  problem(field: ScalarField, text: string): string | undefined;
  /** Uploads a file of this computer and returns its id. */
  upload(path: string): Promise<string>;
  /** Connections that the field accepts. */
  connections(services: readonly string[] | undefined): Promise<readonly Choice[]>;
}

const NONE = "";

export function labelOf(key: string, { name, desc, optional }: InputField): string {
  const label = name === undefined || name === "" ? key : name;
  const about = desc === undefined ? "" : ` (${desc})`;
  return printable(`${label}${about}${optional === true ? ", optional" : ""}`);
}

/** Undefined for an optional field without a value. */
export async function answerField(
  message: string,
  field: ScalarField,
  sources: AnswerSources,
  isOptional = field.optional === true,
): Promise<JsonValue | undefined> {
  const { ask } = sources;
  const choices = await choicesOf(field, sources);
  if (choices !== null) {
    const none = isOptional ? [{ value: NONE, label: "(none)" }] : [];
    const initial = "default" in field && field.default !== undefined ? String(field.default) : undefined;
    const chosen = await ask.select(message, [...none, ...choices], initial);
    if (isOptional && chosen === NONE) return undefined;
    return field.type === "number" ? Number(chosen) : field.type === "boolean" ? chosen === "true" : chosen;
  }
  if (field.type === "boolean") return ask.confirm(message, field.default ?? false);
  const text = await ask.text({
    message,
    placeholder: field.placeholder ?? EXAMPLES[field.type],
    initial: "default" in field && field.default !== undefined ? String(field.default) : undefined,
    check: (value) => problemOf(value, field, isOptional, sources),
  });
  if (text === "" && isOptional) return undefined;
  if (field.type === "number") return Number(text);
  return field.type === "file" ? sources.upload(text) : text;
}

/** Several values: chosen from a list, or one after the other until an empty one. */
export async function answerList(message: string, field: ScalarField, sources: AnswerSources): Promise<JsonValue[]> {
  const choices = await choicesOf(field, sources);
  if (choices !== null) {
    const chosen = await sources.ask.multiselect(message, choices, field.optional !== true);
    return chosen.map((value) => (field.type === "number" ? Number(value) : value));
  }
  const values: JsonValue[] = [];
  for (;;) {
    const isOptional = values.length > 0 || field.optional === true;
    const next = `${message}, value ${values.length + 1}${isOptional ? " (empty to end)" : ""}`;
    const value = await answerField(next, field, sources, isOptional);
    if (value === undefined) return values;
    values.push(value);
    if (field.type === "boolean" && !(await sources.ask.confirm("Another value?", false))) return values;
  }
}

const EXAMPLES: Readonly<Partial<Record<ScalarField["type"], string>>> = {
  date: "2027-01-31",
  datetime: "2027-01-31T09:30:00Z",
  time: "09:30",
  file: "path of a file",
};

async function choicesOf(field: ScalarField, sources: AnswerSources): Promise<readonly Choice[] | null> {
  if (field.type === "connection") return sources.connections(field.allowed_types);
  if (field.type === "boolean") {
    const both = [
      { value: "true", label: "Yes" },
      { value: "false", label: "No" },
    ];
    return field.optional === true ? both : null;
  }
  const list = "list" in field && field.list !== undefined ? field.list : [];
  const more = list.map((one) => {
    const { value, label } = typeof one === "object" ? one : { value: one, label: String(one) };
    return { value: String(value), label: printable(label) };
  });
  if (field.type === "select") {
    // Any other text can only be typed.
    if (field.additional_options === true) return null;
    const options = field.options.map(({ value, label = value, desc }) => {
      const choice = { value, label: printable(label) };
      return desc === undefined ? choice : { ...choice, hint: printable(desc) };
    });
    return [...options, ...more];
  }
  return more.length > 0 ? more : null;
}

function problemOf(text: string, field: ScalarField, isOptional: boolean, sources: AnswerSources): string | undefined {
  if (text === "") return isOptional ? undefined : "Is required.";
  // What is typed for a file is its path.
  return field.type === "file" ? undefined : sources.problem(field, text);
}
