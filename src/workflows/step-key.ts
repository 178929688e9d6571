/** The key of a step. */
import * as v from "valibot";

/** Unique among the steps of a version. */
export const StepKey = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(128, "Must have at most 128 characters."),
);
