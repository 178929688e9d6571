/** Files of an input by their contents instead of their ids, to compare two submissions. Pure. */
import { isRecord, type JsonObject, type JsonValue } from "../json.ts";
import type { InputDefinition } from "../workflows/input/input-field.ts";
import type { SubmittedFile } from "./receive-files.ts";

/** What makes two files the same. */
export const contentsOf = ({ name, size, sha256 }: SubmittedFile): JsonValue => [name, size, sha256];

/** Replaces the values of file fields, which are lists. */
export function mapFiles(
  definition: InputDefinition,
  values: JsonObject,
  map: (file: JsonValue) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = Object.hasOwn(definition, name) ? definition[name] : undefined;
      if (field?.type === "file" && Array.isArray(value)) return [name, value.map(map)];
      if (field?.type !== "object") return [name, value];
      const inner = (one: JsonValue) => (isRecord(one) ? mapFiles(field.fields, one, map) : one);
      return [name, Array.isArray(value) ? value.map(inner) : inner(value)];
    }),
  );
}
