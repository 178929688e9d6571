/** Checks that a record has the version that a caller expects. */
import { StepwellError } from "../../errors.ts";

/** Versions in a message. */
const MAX_SHOWN = 10;

/**
 * @param expected Versions of which the record must have one; undefined for any.
 * @throws StepwellError `precondition_failed`
 */
export function checkVersion({ version }: { readonly version: number }, expected: readonly number[] | undefined): void {
  if (expected === undefined || expected.includes(version)) return;
  const shown = expected.slice(0, MAX_SHOWN).join(" or ") + (expected.length > MAX_SHOWN ? " or others" : "");
  const other = expected.length === 0 ? ", which none of the tags in If-Match names" : `, not ${shown}`;
  const message = `The record has version ${version}${other}. Read it again and repeat the change.`;
  throw new StepwellError("precondition_failed", message);
}

/** Combines two conditions: a version, and a list of versions. */
export function bothOf(
  version: number | undefined,
  versions: readonly number[] | undefined,
): readonly number[] | undefined {
  if (version === undefined) return versions;
  return versions === undefined || versions.includes(version) ? [version] : [];
}
