/** What two people changed in the same draft, with the steps that they have renamed: each is compared with itself. Pure. */
import type { Definition } from "../../../../../src/workflows/version.ts";
import { changedBy, type Side } from "../../merging/three-way.ts";
import { type Difference, differences, firstChoices, merged, type Three } from "./merge.ts";
import { type Names, namesBetween, renamedBack, withNames } from "./merge-renamed.ts";

export interface Clash {
  /** New keys of steps are differences of their own, `name KEY`. Keys are those of the base. */
  readonly found: readonly Difference[];
  readonly first: ReadonlyMap<string, Side>;
  /** @param choices Sides by the names of differences; mine for those without one. */
  readonly merged: (choices: ReadonlyMap<string, Side>) => Definition;
}

export function clashOf({ base, mine, theirs }: Three): Clash {
  const own = namesBetween(base, mine);
  const others = namesBetween(base, theirs);
  const three = { base, mine: renamedBack(mine, own), theirs: renamedBack(theirs, others) };
  const names = [...new Set([...own.keys(), ...others.keys()])].flatMap((key) => nameDifference(key, own, others));
  const found = [...names, ...differences(three)];
  return {
    found,
    first: firstChoices(found),
    merged(choices) {
      const next = [...new Set([...own.keys(), ...others.keys()])].map((key): [string, string] => {
        const isAlike = own.get(key) === others.get(key);
        const side = isAlike || choices.get(nameOf(key)) !== "theirs" ? own : others;
        return [key, side.get(key) ?? key];
      });
      return withNames(merged(three, choices), new Map(next.filter(([key, name]) => key !== name)));
    },
  };
}

const nameOf = (key: string) => `name ${key}`;

function nameDifference(key: string, own: Names, others: Names): readonly Difference[] {
  const [mine, theirs] = [own.get(key) ?? key, others.get(key) ?? key];
  const by = changedBy(key, mine, theirs);
  return by === null ? [] : [{ name: nameOf(key), step: key, part: null, base: key, mine, theirs, changedBy: by }];
}
