/** What `npm test` runs of whole matrices and of rounds. `npm run test:full` runs all of them. */
import process from "node:process";

/** A case, or a row of a table of cases. */
type Named = string | readonly [name: string, ...unknown[]] | { readonly name: string };

/** Set by test/full.js. */
const isFull = () => process.env["TEST_FULL"] !== undefined;

/**
 * The cases with these names; all cases in the full run.
 * @throws Error for a name that no case has, also in the full run: one was renamed, and its kind would run no more
 */
export function sample<Case extends Named>(cases: readonly Case[], names: readonly string[]): readonly Case[] {
  const known = cases.map(nameOf);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No case is named ${unknown.join(", ")}: there are ${known.join(", ")}.`);
  return isFull() ? cases : cases.filter((one) => names.includes(nameOf(one)));
}

/**
 * Every nth case; all cases in the full run. Of the combinations of several lists it has each entry of each list with most
 * others if `n` shares no divisor with their lengths.
 */
export function everyNth<Case>(n: number, cases: readonly Case[]): readonly Case[] {
  return isFull() ? cases : cases.filter((_, index) => index % n === 0);
}

/** A number of rounds, and the larger one of the full run. */
export function times(few: number, many: number): number {
  return isFull() ? many : few;
}

function nameOf(one: Named): string {
  if (typeof one === "string") return one;
  return "name" in one ? one.name : one[0];
}
