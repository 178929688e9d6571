/** The basis of a rule with `when`: the result is kept until the basis changes. Pure. */
import type { Rule } from "../../rule.ts";
import type { RecordData } from "../record.ts";
import { valueAt } from "../record-data.ts";

/** Returns the basis of a rule's result; undefined for a rule that runs on every change. */
export type BasisOf = (rule: Rule) => string | undefined;

/**
 * A digest of the rule itself and of the values that `when` names. Comparing it has the same effect as comparing these values
 * with those of the version that the result belongs to, but needs no history.
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
