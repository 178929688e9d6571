/** The conditions of a branch and their order. Pure. */
import { entriesInOrder } from "../../../../../src/workflows/input/entries-in-order.ts";
import type { BranchStep } from "../../../../../src/workflows/step.ts";
import { renamed } from "../step-change.ts";

export type Conditions = BranchStep["conditions"];
export type Condition = Conditions[string];

/** As the engine evaluates them. */
export const inOrder: (conditions: Conditions) => readonly (readonly [string, Condition])[] = entriesInOrder;

/** A renamed condition keeps its place. */
export const renamedCondition = (conditions: Conditions, from: string, to: string): Conditions =>
  Object.hasOwn(conditions, to) ? conditions : renamed(conditions, from, to);

/** Exchanges the places of two conditions. Conditions with the same place get different ones. */
export function movedCondition(conditions: Conditions, name: string, by: -1 | 1): Conditions {
  const ordered = inOrder(conditions);
  const at = ordered.findIndex(([one]) => one === name);
  const [here, there] = [ordered[at], ordered[at + by]];
  if (here === undefined || there === undefined) return conditions;
  if (here[1].order !== there[1].order) {
    return {
      ...conditions,
      [here[0]]: { ...here[1], order: there[1].order },
      [there[0]]: { ...there[1], order: here[1].order },
    };
  }
  const names = ordered.map(([one]) => one);
  [names[at], names[at + by]] = [there[0], here[0]];
  return Object.fromEntries(
    Object.entries(conditions).map(([one, condition]) => [one, { ...condition, order: names.indexOf(one) + 1 }]),
  );
}

/**
 * The condition that a run takes; null for none.
 * @param holds Undefined if it cannot be known: then neither can what comes after.
 */
export function takenCondition(
  conditions: Conditions,
  holds: (expression: string) => boolean | undefined,
): string | null | undefined {
  for (const [name, { condition }] of inOrder(conditions)) {
    const result = condition === undefined ? true : holds(condition);
    if (result === undefined) return undefined;
    if (result) return name;
  }
  return null;
}
