/**
 * Names of the fields of a form as browsers send them. In multipart/form-data, they write `"`, CR and LF as `%22`, `%0D` and
 * `%0A` (HTML standard, "multipart/form-data encoding algorithm"). In every encoding, they send line ends as CR LF.
 */
import { withLineFeeds } from "../line-ends.ts";

export const decodePartName = (name: string): string =>
  name.replace(/%22/g, '"').replace(/%0D/gi, "\r").replace(/%0A/gi, "\n");

/**
 * Returns the function that finds which of these names a sender means. A name that is none of them is returned as it is.
 * Browsers do not escape `%`, so `%22` may also be part of a name: both sides are compared decoded.
 */
export function matchNames(names: Iterable<string>): (given: string) => string {
  const known = new Set(names);
  const byComparable = new Map([...known].map((name) => [comparable(name), name]));
  return (given) => (known.has(given) ? given : (byComparable.get(comparable(given)) ?? given));
}

const comparable = (name: string) => withLineFeeds(decodePartName(name));
