/** Names that people give to things of this slice. */
import * as v from "valibot";

export const Name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(256, "Must have at most 256 characters."),
);
