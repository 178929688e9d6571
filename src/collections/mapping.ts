/** A mapping: copies a field of a record to other fields. */
import * as v from "valibot";
import { FORBIDDEN_KEY, list, strictObject } from "../schema.ts";

/** `entity:field`. Spaces within a name are significant. */
export const FieldPath = v.pipe(
  v.string(),
  v.maxLength(1_024, "Must have at most 1024 characters."),
  v.check((path) => {
    const names = path.split(":");
    return names.length === 2 && names.every((name) => name !== "" && name === name.trim());
  }, 'Must have the form entity:field, such as "loan:amount".'),
  v.check((path) => !path.split(":").some((name) => name === FORBIDDEN_KEY), 'Must not name a field "__proto__".'),
);

export const Mapping = strictObject({
  /** Field to copy, as `entity:field`. */
  source_path: FieldPath,
  /** Fields to write, as `entity:field`. */
  destination_paths: list(FieldPath),
});
/**
 * Copies a field of a record to other fields.
 * @example { "source_path": "borrower:name", "destination_paths": ["loan:borrower"] }
 */
export interface Mapping extends v.InferOutput<typeof Mapping> {}
