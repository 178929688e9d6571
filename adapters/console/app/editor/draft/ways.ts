/**
 * The ways from a step to the next ones: always, by a condition of a branch, if none is true, or after an error. Pure.
 *
 * A definition whose steps name no next step is a chain: each step leads to the one after it in the list.
 */

import { edgesFrom } from "../../../../../src/workflows/graph.ts";
import { entriesInOrder } from "../../../../../src/workflows/input/entries-in-order.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";

export type Way =
  | { readonly kind: "next" }
  | { readonly kind: "condition"; readonly name: string }
  | { readonly kind: "else" }
  | { readonly kind: "catch"; readonly route: number };

export const NEXT: Way = { kind: "next" };

/** A connection between two steps, by their keys. */
export interface Connection {
  readonly from: string;
  readonly to: string;
  readonly way: Way;
}

export const isSameWay = (one: Way, other: Way): boolean => wayId(one) === wayId(other);

/** A text for each way of a step. */
export function wayId(way: Way): string {
  if (way.kind === "condition") return `condition ${way.name}`;
  return way.kind === "catch" ? `catch ${way.route}` : way.kind;
}

/** The ways of a step in the order in which a run tries them, also those that lead nowhere. */
export function waysOf(step: Step): readonly Way[] {
  const conditions =
    step.type === "branch" ? conditionsOf(step).map(([name]): Way => ({ kind: "condition", name })) : [];
  const routes = step.type === "note" ? [] : (step.on_error ?? []);
  return [
    ...conditions,
    ...(step.type === "branch" ? [{ kind: "else" } as const] : []),
    ...(step.type === "branch" && step.destinations === undefined ? [] : [NEXT]),
    ...routes.map((_, route): Way => ({ kind: "catch", route })),
  ];
}

/** The conditions of a branch in the order in which they are evaluated. */
export const conditionsOf = ({ conditions }: Extract<Step, { type: "branch" }>) => entriesInOrder(conditions);

/**
 * The way on which a step comes behind another: the one that a run always goes. A branch without such a way has it where it
 * leads nowhere yet, else where no condition is true.
 */
export function wayBehind(step: Step): Way {
  if (step.type !== "branch" || step.destinations !== undefined) return NEXT;
  const ways = waysOf(step).filter(({ kind }) => kind !== "catch");
  return ways.find((way) => destinationsOf(step, way).length === 0) ?? { kind: "else" };
}

/** The keys of the steps that a way leads to. */
export function destinationsOf(step: Step, way: Way): readonly string[] {
  switch (way.kind) {
    case "next":
      return step.destinations ?? [];
    case "condition":
      return step.type === "branch" && Object.hasOwn(step.conditions, way.name)
        ? (step.conditions[way.name]?.destinations ?? [])
        : [];
    case "else":
      return step.type === "branch" ? (step.else ?? []) : [];
    case "catch":
      return step.type === "note" ? [] : (step.on_error?.[way.route]?.destinations ?? []);
  }
}

/** The step with other destinations of a way. A catch route without one is removed, because it must have one. */
export function withDestinations(step: Step, way: Way, keys: readonly string[]): Step {
  const destinations = [...new Set(keys)];
  switch (way.kind) {
    case "next": {
      if (destinations.length > 0) return { ...step, destinations };
      const { destinations: _, ...others } = step;
      return others;
    }
    case "condition": {
      const one = step.type === "branch" ? step.conditions[way.name] : undefined;
      if (step.type !== "branch" || one === undefined) return step;
      return { ...step, conditions: { ...step.conditions, [way.name]: { ...one, destinations } } };
    }
    case "else": {
      if (step.type !== "branch") return step;
      const { else: _, ...others } = step;
      return destinations.length > 0 ? { ...others, else: destinations } : others;
    }
    case "catch":
      return withCatchDestinations(step, way.route, destinations);
  }
}

function withCatchDestinations(step: Step, route: number, destinations: string[]): Step {
  if (step.type === "note" || step.on_error === undefined) return step;
  const routes = step.on_error.flatMap((one, index) => {
    if (index !== route) return [one];
    return destinations.length === 0 ? [] : [{ ...one, destinations }];
  });
  const { on_error: _, ...others } = step;
  return routes.length > 0 ? { ...others, on_error: routes } : others;
}

/** The step with each destination replaced by others. */
export function mapDestinations(step: Step, replace: (key: string, way: Way) => readonly string[]): Step {
  let changed = step;
  // From the last on, because a catch route without destinations is removed.
  for (const way of waysOf(step).toReversed()) {
    const before = destinationsOf(step, way);
    const after = before.flatMap((key) => replace(key, way));
    if (after.length !== before.length || after.some((key, index) => key !== before[index])) {
      changed = withDestinations(changed, way, after);
    }
  }
  return changed;
}

/** Whether no step names a next one. */
export const isChain = ({ steps }: Pick<Definition, "steps">): boolean =>
  steps.every((step) => edgesFrom(step).length === 0);

/** A chain with its connections written down, so that changing one does not change the others. */
export function withWrittenConnections(definition: Definition): Definition {
  if (!isChain(definition)) return definition;
  const steps = definition.steps.map((step, index) => {
    const next = definition.steps[index + 1];
    return next === undefined ? step : { ...step, destinations: [next.key] };
  });
  return { ...definition, steps };
}

/** The connections of all steps, those of a chain as well. */
export function connectionsOf(definition: Definition): readonly Connection[] {
  return withWrittenConnections(definition).steps.flatMap((step) =>
    waysOf(step).flatMap((way) => destinationsOf(step, way).map((to) => ({ from: step.key, to, way }))),
  );
}
