/** Adds the text and images of files to an input, for fields that want them. */
import type { ContentsRequest } from "../files/extract-contents.ts";
import { isRecord, type JsonObject, type JsonValue } from "../json.ts";
import type { InputDefinition, InputField } from "../workflows/input/input-field.ts";

/** Reads the contents of a file. `path` is its location in the input. */
export type ReadContents = (
  fileId: string,
  request: ContentsRequest,
  path: readonly (string | number)[],
) => Promise<Readonly<JsonObject>>;

/** Whether any field wants contents of its files. */
export function wantsContents(definition: InputDefinition): boolean {
  return Object.values(definition).some((field) =>
    field.type === "object" ? wantsContents(field.fields) : contentsRequestOf(field) !== null,
  );
}

/** Adds the contents of files to their summaries. Rejects with whatever `read` rejects with. */
export async function withContents(
  definition: InputDefinition,
  values: Readonly<JsonObject>,
  read: ReadContents,
  path: readonly (string | number)[] = [],
): Promise<JsonObject> {
  const entries: [string, JsonValue][] = [];
  // One after another, because each may take much memory and time.
  for (const [name, value] of Object.entries(values)) {
    const field = Object.hasOwn(definition, name) ? definition[name] : undefined;
    entries.push([name, field === undefined ? value : await fieldContents(field, value, read, [...path, name])]);
  }
  return Object.fromEntries(entries);
}

async function fieldContents(
  field: InputField,
  value: JsonValue,
  read: ReadContents,
  path: readonly (string | number)[],
): Promise<JsonValue> {
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const [index, item] of value.entries()) items.push(await fieldContents(field, item, read, [...path, index]));
    return items;
  }
  if (!isRecord(value)) return value;
  if (field.type === "object") return withContents(field.fields, value, read, path);
  const request = contentsRequestOf(field);
  return request === null ? value : { ...value, ...(await read(String(value["id"]), request, path)) };
}

function contentsRequestOf(field: InputField): ContentsRequest | null {
  if (field.type !== "file") return null;
  const request = { text: field.extract_contents === true, images: field.extract_images === true };
  return request.text || request.images ? request : null;
}
