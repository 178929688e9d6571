/** Brings together what two people did if they have also renamed steps: a step stays the same one under another key. Pure. */
import type { Definition } from "../../../../../src/workflows/version.ts";
import type { Side } from "../../merging/three-way.ts";
import { renamings } from "../../versions/renamings.ts";
import type { Three } from "./merge.ts";
import { mergedByField } from "./merge-fields.ts";
import { stepOf } from "./operations.ts";
import { renameStep } from "./rename-step.ts";

/** New keys of steps by their keys before. */
export type Names = ReadonlyMap<string, string>;

/** @param before The definition before one change, such as a rename. */
export function namesBetween(before: Definition, after: Definition): Names {
  const without = (one: Definition, other: Definition) => {
    const known = new Set(other.steps.map(({ key }) => key));
    return one.steps.filter(({ key }) => !known.has(key));
  };
  return new Map(renamings(without(before, after), without(after, before)).map(({ from, to }) => [from.key, to.key]));
}

/** The names after two changes. A step that got its first key back has none. */
export function namesAfter(first: Names, second: Names): Names {
  const reached = new Set(first.values());
  const names = new Map([...second].filter(([key]) => !reached.has(key)));
  for (const [key, next] of first) names.set(key, second.get(next) ?? next);
  return new Map([...names].filter(([key, next]) => key !== next));
}

/**
 * One's own state of a draft with what others have changed. A field that both changed stays as the others have it.
 * @param own Keys of `mine` by those of the base.
 * @param others Keys of `theirs` by those of the base.
 */
export function mergedRenamed(three: Three, own: Names, others: Names): Definition {
  return mergedWithNames(three, own, others, "theirs");
}

/**
 * Both sides, with the steps that they have renamed since the base.
 * @param winner Whose value a field gets, or whose new key a step, that both have changed.
 */
export const mergedSides = (three: Three, winner: Side): Definition =>
  mergedWithNames(three, namesBetween(three.base, three.mine), namesBetween(three.base, three.theirs), winner);

function mergedWithNames({ base, mine, theirs }: Three, own: Names, others: Names, winner: Side): Definition {
  // By the keys of the base: what is compared is the same step on all sides.
  const three = { base, mine: renamedBack(mine, own), theirs: renamedBack(theirs, others) };
  const names = winner === "mine" ? [...others, ...own] : [...own, ...others];
  return withNames(mergedByField(three, winner), new Map(names));
}

export const renamedBack = (definition: Definition, names: Names): Definition =>
  withNames(definition, new Map([...names].map(([key, next]) => [next, key])));

/** Renames steps. One stays as it is while another step has its new key. */
export function withNames(definition: Definition, names: Names): Definition {
  const left = new Map(names);
  let renamed = definition;
  for (let before = Number.POSITIVE_INFINITY; left.size < before; ) {
    before = left.size;
    for (const [key, next] of [...left]) {
      if (stepOf(renamed, next) !== undefined) continue;
      renamed = renameStep(renamed, key, next).definition;
      left.delete(key);
    }
  }
  return renamed;
}
