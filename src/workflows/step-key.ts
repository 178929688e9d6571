/** The key of a step. */
import * as v from "valibot";
import { FORBIDDEN_KEY, segment } from "../schema.ts";

/** Unique among the steps of a version. Outputs are JSON objects by key, which cannot have a field `__proto__`. */
export const StepKey = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(128, "Must have at most 128 characters."),
  v.check((key) => key !== FORBIDDEN_KEY, 'Must not be "__proto__".'),
  segment,
);
