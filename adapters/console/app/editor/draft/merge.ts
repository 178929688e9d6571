/**
 * Brings together what two people did to the same draft: by step, and by the parts around the steps. What only one of them
 * changed is taken from that one; what both changed differently needs a choice. Pure.
 */
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { changedBy, type Side } from "../../merging/three-way.ts";
import { mergedOrder } from "./merge-order.ts";

const PARTS = ["input", "input_default", "input_options", "settings", "pinned"] as const;
export type Part = (typeof PARTS)[number];

/** A part of the definition, or a step, that differs. */
export interface Difference {
  /** Stable name: `step KEY`, or the name of the part. */
  readonly name: string;
  readonly step: string | null;
  readonly part: Part | null;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Who changed it. Both only if they changed it differently. */
  readonly changedBy: Side | "both";
}

export interface Three {
  /** What both began with. */
  readonly base: Definition;
  readonly mine: Definition;
  readonly theirs: Definition;
}

/** What differs between the two sides. What both changed in the same way does not. */
export function differences({ base, mine, theirs }: Three): readonly Difference[] {
  const keys = new Set([...theirs.steps, ...mine.steps, ...base.steps].map(({ key }) => key));
  const maps = { base: byKey(base), mine: byKey(mine), theirs: byKey(theirs) };
  const parts = PARTS.map((part) => differenceOf(part, null, part, base[part], mine[part], theirs[part]));
  const steps = [...keys].map((key) =>
    differenceOf(`step ${key}`, key, null, maps.base.get(key), maps.mine.get(key), maps.theirs.get(key)),
  );
  return [...parts, ...steps].filter((one) => one !== null);
}

const byKey = ({ steps }: Definition): ReadonlyMap<string, Step> => new Map(steps.map((step) => [step.key, step]));

function differenceOf(
  name: string,
  step: string | null,
  part: Part | null,
  base: unknown,
  mine: unknown,
  theirs: unknown,
): Difference | null {
  const by = changedBy(base, mine, theirs);
  return by === null ? null : { name, step, part, base, mine, theirs, changedBy: by };
}

/** What is chosen at first: what only one side changed is that side's; where both did, mine. */
export const firstChoices = (found: readonly Difference[]): ReadonlyMap<string, Side> =>
  new Map(found.map(({ name, changedBy }) => [name, changedBy === "both" ? "mine" : changedBy]));

/** @param choices Sides by the names of differences; mine for those without one. */
export function merged({ base, mine, theirs }: Three, choices: ReadonlyMap<string, Side>): Definition {
  const found = new Map(differences({ base, mine, theirs }).map((one) => [one.name, one]));
  const isTheirs = (name: string) => found.has(name) && choices.get(name) === "theirs";
  const [own, others] = [byKey(mine), byKey(theirs)];
  const steps: Step[] = [];
  for (const key of mergedOrder(keysOf(base), keysOf(mine), keysOf(theirs))) {
    const step = (isTheirs(`step ${key}`) ? others : own).get(key);
    if (step !== undefined) steps.push(step);
  }
  const side = (part: Part) => (isTheirs(part) ? theirs : mine);
  const { settings, pinned } = { settings: side("settings").settings, pinned: side("pinned").pinned };
  return {
    input: side("input").input,
    input_default: side("input_default").input_default,
    input_options: side("input_options").input_options,
    steps,
    ...(settings === undefined ? undefined : { settings }),
    ...(pinned === undefined ? undefined : { pinned }),
  };
}

const keysOf = ({ steps }: Definition): readonly string[] => [...new Set(steps.map(({ key }) => key))];
