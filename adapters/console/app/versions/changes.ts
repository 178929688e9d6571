/** What differs between two definitions, for people: by step and by field, without what changes no run. Pure. */
import { compareDefinitions, matchSteps, movedSteps } from "../../../../src/definitions/diff/compare.ts";
import type { Difference, Path } from "../../../../src/definitions/diff/version-diff.ts";
import { pointer } from "../../../../src/json.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import type { Definition } from "../../../../src/workflows/version.ts";
import { isChain } from "../editor/draft/ways.ts";
import { renamings } from "./renamings.ts";

/** A value that differs. */
export interface FieldChange {
  /** JSON Pointer into the step, or into the part. */
  readonly field: string;
  /** Undefined if it was not set. */
  readonly before: unknown;
  readonly after: unknown;
}

export const PARTS = ["input", "input_default", "input_options", "settings"] as const;
export type Part = (typeof PARTS)[number];

export interface StepChange {
  readonly key: string;
  readonly kind: "added" | "removed" | "changed" | "renamed";
  /** The key before a renaming. */
  readonly from: string | null;
  /** The step on the side that has it. */
  readonly step: Step;
  readonly fields: readonly FieldChange[];
}

export interface Changes {
  readonly steps: readonly StepChange[];
  readonly parts: readonly { readonly part: Part; readonly fields: readonly FieldChange[] }[];
  /** Fields of the canvas that differ. */
  readonly layout: number;
  /** Steps that moved in the list, where their order decides when they run. */
  readonly moved: number;
  readonly isTruncated: boolean;
}

/** Further differences are not looked for. */
const MAX_CHANGES = 1_000;
const LAYOUT: ReadonlySet<string> = new Set(["position", "size", "display"]);

export function changesBetween(before: Definition, after: Definition): Changes {
  const found: Difference[] = [];
  let isTruncated = false;
  for (const one of compareDefinitions(before, after)) {
    isTruncated = found.length === MAX_CHANGES;
    if (isTruncated) break;
    found.push(one);
  }
  const told = found.filter((one) => !isLayout(one));
  const isOrdered = isChain(before) || isChain(after);
  return {
    steps: stepChanges(before, after, told),
    parts: PARTS.flatMap((part) => {
      const fields = told.filter((one) => pathOf(one)[0] === part).map((one) => fieldChange(one, 1));
      return fields.length === 0 ? [] : [{ part, fields }];
    }),
    layout: found.length - told.length,
    moved: isOrdered ? movedSteps(matchSteps(before.steps, after.steps)).length : 0,
    isTruncated,
  };
}

export const hasChanges = ({ steps, parts, moved }: Changes): boolean =>
  steps.length > 0 || parts.length > 0 || moved > 0;

function isLayout(one: Difference): boolean {
  const path = pathOf(one);
  return path[0] === "steps" && path.length > 2 && LAYOUT.has(String(path[2]));
}

const pathOf = (one: Difference): Path => (one.kind === "removed" ? one.from : one.to);

/** @param depth Names at the start of the path that are left out. */
function fieldChange(one: Difference, depth: number): FieldChange {
  const field = pointer(pathOf(one).slice(depth));
  if (one.kind === "changed") return { field, before: one.before, after: one.after };
  return one.kind === "added"
    ? { field, before: undefined, after: one.value }
    : { field, before: one.value, after: undefined };
}

function stepChanges(before: Definition, after: Definition, told: readonly Difference[]): readonly StepChange[] {
  const removed: Step[] = [];
  const added: Step[] = [];
  const changed = new Map<number, FieldChange[]>();
  for (const one of told) {
    const path = pathOf(one);
    const index = path[1];
    if (path[0] !== "steps" || typeof index !== "number") continue;
    const step = (one.kind === "removed" ? before : after).steps[index];
    if (path.length === 2 && one.kind !== "changed") {
      if (step !== undefined) (one.kind === "added" ? added : removed).push(step);
      continue;
    }
    // A field that was removed has the place of its step in the first definition.
    const at = one.kind === "removed" ? placeAfter(before, after, index) : index;
    const fields = changed.get(at) ?? [];
    changed.set(at, [...fields, fieldChange(one, 2)]);
  }
  const renamed = renamings(removed, added);
  const gone = new Set(renamed.map(({ from }) => from));
  const kept = new Set(renamed.map(({ to }) => to));
  const pairs = [...changed].flatMap(([index, fields]): StepChange[] => {
    const step = after.steps[index];
    return step === undefined ? [] : [{ key: step.key, kind: "changed", from: null, step, fields }];
  });
  return [
    ...removed.filter((step) => !gone.has(step)).map((step) => alone(step, "removed")),
    ...added.filter((step) => !kept.has(step)).map((step) => alone(step, "added")),
    ...renamed.map(
      ({ from, to }): StepChange => ({ ...alone(to, "renamed"), from: from.key, fields: fieldsOf(before, from, to) }),
    ),
    ...pairs,
  ];
}

/** What a renamed step has otherwise than before. */
function fieldsOf(definition: Definition, from: Step, to: Step): readonly FieldChange[] {
  const [before, after] = [{ ...from, key: to.key }, to].map((step) => ({ ...definition, steps: [step] }));
  if (before === undefined || after === undefined) return [];
  const found = [...compareDefinitions(before, after)].slice(0, MAX_CHANGES);
  return found.filter((one) => !isLayout(one)).map((one) => fieldChange(one, 2));
}

const alone = (step: Step, kind: StepChange["kind"]): StepChange => ({
  key: step.key,
  kind,
  from: null,
  step,
  fields: [],
});

function placeAfter(before: Definition, after: Definition, from: number): number {
  return matchSteps(before.steps, after.steps).find((match) => match.from === from)?.to ?? -1;
}
