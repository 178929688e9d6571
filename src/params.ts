/** The parameters of a path: what an id may look like, whichever door it came through. */
import { StepwellError } from "./errors.ts";

/** Ids are generated; what does not look like one is not there, and no storage is asked for it. */
const ID = /^[0-9A-Za-z_-]{1,128}$/;
const MAX_LENGTH = 1_024;

/** @throws StepwellError `not_found` for what nothing can be named. */
export function checkedParam(name: string, value: string): string {
  if (name.endsWith("_id") ? ID.test(value) : value.length <= MAX_LENGTH) return value;
  throw new StepwellError("not_found", `There is nothing with this ${name}.`);
}
