/** Steps as JSON text: copying, pasting and duplicating. Pure. */
import * as v from "valibot";
import { isRecord } from "../../../../../src/json.ts";
import { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { freeKey } from "./new-step.ts";
import { addStep, stepOf } from "./operations.ts";
import { renamedIn } from "./rename-step.ts";
import { isChain, mapDestinations, NEXT, type Way, withWrittenConnections } from "./ways.ts";

/** How far a copy stands from what it was copied from. */
const OFFSET = 40;

/** The steps as text, which can be pasted here, into another workflow, or into a file. */
export function copiedSteps(definition: Definition, keys: readonly string[]): string {
  const { steps } = withWrittenConnections(definition);
  return JSON.stringify({ steps: steps.filter(({ key }) => keys.includes(key)) }, null, 2);
}

/** The steps of a text: one step, a list, or an object with `steps`. Null for anything else. */
export function stepsOfText(text: string): readonly Step[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const steps = isRecord(value) && "steps" in value ? value["steps"] : Array.isArray(value) ? value : [value];
  const read = v.safeParse(v.array(Step), steps);
  return read.success && read.output.length > 0 ? read.output : null;
}

export interface Pasted {
  readonly definition: Definition;
  /** Keys of the new steps. */
  readonly keys: readonly string[];
}

/** Adds steps under new keys where theirs are taken. Their connections to each other stay; those to others go. */
export function pasteSteps(definition: Definition, steps: readonly Step[]): Pasted {
  const taken = new Set(definition.steps.map(({ key }) => key));
  const names = new Map<string, string>();
  for (const { key } of steps) {
    const free = freeKey(taken, key);
    taken.add(free);
    names.set(key, free);
  }
  const added = steps.map((step) => {
    const own = mapDestinations(step, (key) => (names.has(key) ? [key] : []));
    return moved(renamedAll(own, names));
  });
  const base = added.length > 1 || !isChain(definition) ? withWrittenConnections(definition) : definition;
  return { definition: { ...base, steps: [...base.steps, ...added] }, keys: added.map(({ key }) => key) };
}

/** A copy of one step behind it. That of a branch stands where no condition is true: so what follows runs as before. */
export function duplicateStep(definition: Definition, key: string): Pasted {
  const step = stepOf(definition, key);
  if (step === undefined) return { definition, keys: [] };
  const free = freeKey(new Set(definition.steps.map((one) => one.key)), key);
  const alone = mapDestinations({ ...step, key: free }, () => []);
  const way: Way = step.type === "branch" ? { kind: "else" } : NEXT;
  return { definition: addStep(definition, moved(alone), { kind: "behind", key, way }), keys: [free] };
}

/** Renames by way of names that none of them has, so that two can swap theirs. */
function renamedAll(step: Step, names: ReadonlyMap<string, string>): Step {
  const taken = new Set([...names].flat());
  const changes = [...names].filter(([before, after]) => before !== after);
  const between = changes.map(([before, after]) => {
    const name = freeKey(taken, "renamed");
    taken.add(name);
    return { before, name, after };
  });
  const away = between.reduce((one, { before, name }) => renamedIn(one, before, name), step);
  return between.reduce((one, { name, after }) => renamedIn(one, name, after), away);
}

function moved(step: Step): Step {
  if (step.position === undefined) return step;
  const [x, y] = step.position;
  return { ...step, position: [x + OFFSET, y + OFFSET] };
}
