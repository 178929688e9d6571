/** What two people changed in the same draft, with the steps that they have renamed: each is compared with itself. Pure. */
import type { Definition } from "../../../../../src/workflows/version.ts";
import { changedBy, type Side } from "../../merging/three-way.ts";
import { type Difference, differences, firstChoices, merged, type Three } from "./merge.ts";
import { type Names, namesBetween, renamedBack, withNames } from "./merge-renamed.ts";

/** Sides by the names of differences; mine for those without one. */
export type Choices = ReadonlyMap<string, Side>;

export interface DraftClash {
  /** New keys of steps are differences of their own, `name KEY`, after all others. Keys are those of the base. */
  readonly found: readonly Difference[];
  readonly first: Choices;
  /** Whether nothing was changed by both, and the first choices keep all that was changed. */
  readonly isApart: boolean;
  /** What is to be chosen or known beside the other choices: the key of a step only while the step is kept. */
  readonly asked: (choices: Choices) => readonly Asked[];
  readonly merged: (choices: Choices) => Definition;
}

export interface Asked extends Difference {
  /** Null unless it is about the key of a step. */
  readonly naming: Naming | null;
}

interface Naming {
  /** The key that the step gets. */
  readonly next: string;
  /** New keys that it cannot get, because other steps have them. With one, there is nothing to choose. */
  readonly taken: readonly string[];
}

export function clashOf({ base, mine, theirs }: Three): DraftClash {
  const own = namesBetween(base, mine);
  const others = namesBetween(base, theirs);
  const renamed = [...new Set([...own.keys(), ...others.keys()])].map((key) => keysOf(key, own, others));
  const three = { base, mine: renamedBack(mine, own), theirs: renamedBack(theirs, others) };
  const parts = differences(three).map((one) => (isRenamedAndGone(one, own, others) ? bothOf(one) : one));
  const found = [...parts, ...renamed.flatMap(nameDifference)];
  const first = firstChoices(found);
  const outcome = (choices: Choices) => {
    const definition = merged(three, choices);
    return { definition, namings: namingsIn(definition, renamed, choices) };
  };
  const asked = (choices: Choices) => {
    const { namings } = outcome(choices);
    return found.flatMap((one): readonly Asked[] => {
      if (one.step === null || one.name !== nameOf(one.step)) return [{ ...one, naming: null }];
      const naming = namings.get(one.step);
      return naming === undefined ? [] : [{ ...one, naming }];
    });
  };
  const isKept = ({ changedBy: by, naming }: Asked) => by !== "both" && (naming?.taken ?? []).length === 0;
  return {
    found,
    first,
    isApart: asked(first).every(isKept) && !isReorderedByBoth(three),
    asked,
    merged(choices) {
      const { definition, namings } = outcome(choices);
      const next = [...namings].map(([key, naming]): [string, string] => [key, naming.next]);
      return withNames(definition, new Map(next.filter(([key, name]) => key !== name)));
    },
  };
}

/** The keys of a step that one side has renamed, or both. */
interface Keys {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

const keysOf = (base: string, own: Names, others: Names): Keys => ({
  base,
  mine: own.get(base) ?? base,
  theirs: others.get(base) ?? base,
});

const nameOf = (key: string) => `name ${key}`;

function nameDifference({ base, mine, theirs }: Keys): readonly Difference[] {
  const by = changedBy(base, mine, theirs);
  return by === null ? [] : [{ name: nameOf(base), step: base, part: null, base, mine, theirs, changedBy: by }];
}

/** Whether one side has renamed a step that the other has deleted: without its key, it looks as if only one changed it. */
const isRenamedAndGone = ({ step, mine, theirs }: Difference, own: Names, others: Names): boolean =>
  step !== null && ((mine === undefined && others.has(step)) || (theirs === undefined && own.has(step)));

const bothOf = (difference: Difference): Difference => ({ ...difference, changedBy: "both" });

/** Of a step that both have moved, only one place is kept. */
function isReorderedByBoth({ base, mine, theirs }: Three): boolean {
  const sets = [base, mine, theirs].map(({ steps }) => new Set(steps.map(({ key }) => key)));
  const orderOf = ({ steps }: Definition) =>
    steps.map(({ key }) => key).filter((key) => sets.every((keys) => keys.has(key)));
  return changedBy(orderOf(base), orderOf(mine), orderOf(theirs)) === "both";
}

/**
 * What becomes of the keys of the renamed steps that are there. Where a new key is taken, a step gets that of the other side,
 * or keeps its own.
 */
function namingsIn(definition: Definition, renamed: readonly Keys[], choices: Choices): ReadonlyMap<string, Naming> {
  const keys = new Set(definition.steps.map(({ key }) => key));
  const namings = new Map<string, Naming>();
  for (const { base, mine, theirs } of renamed) {
    if (!keys.delete(base)) continue;
    const wanted = choices.get(nameOf(base)) === "theirs" ? [theirs, mine] : [mine, theirs];
    const next = wanted.find((key) => !keys.has(key)) ?? base;
    namings.set(base, { next, taken: [mine, theirs].filter((key) => keys.has(key)) });
    keys.add(next);
  }
  return namings;
}
