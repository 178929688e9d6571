/** What the result of a rule with `when` is computed from, so that it is kept until that changes. Pure. */
import type { Rule } from "../rule.ts";
import type { RecordData } from "./record.ts";
import { valueAt } from "./record-data.ts";

/** Returns the basis of a rule's result; undefined for a rule that runs on every change. */
export type BasisOf = (rule: Rule) => string | undefined;

/**
 * A digest of the rule itself and of the values that `when` names. It says the same as the version of the record that a
 * result is of, without the values of that version.
 * @param sha256 Returns the digest of a text.
 */
export function createBasisOf(data: RecordData, sha256: (text: string) => string): BasisOf {
  // Many rules may name the same value of a megabyte.
  const digests = new Map<string, string>();
  function digestAt(path: string): string {
    const known = digests.get(path);
    if (known !== undefined) return known;
    const value = valueAt(data, path);
    const digest = value === undefined ? "" : sha256(JSON.stringify(value));
    digests.set(path, digest);
    return digest;
  }
  return ({ name: _, disabled, when, ...definition }) =>
    when === undefined ? undefined : sha256(JSON.stringify([definition, when, [...new Set(when)].map(digestAt)]));
}
