/** A mapping: which field of a record is copied to which others. */
import * as v from "valibot";
import { FORBIDDEN_KEY, list, strictObject } from "../schema.ts";

/** `entity:field`. Spaces are part of a name, except around it. */
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
  source_path: FieldPath,
  destination_paths: list(FieldPath),
});
export interface Mapping extends v.InferOutput<typeof Mapping> {}
