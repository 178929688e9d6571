/** What the fields of a step know of the workflow around them. */
import { createContext, useContext, useMemo, useSyncExternalStore } from "react";
import type { Place } from "../../../../src/engine/expressions/expression-scope.ts";
import type { JsonValue } from "../../../../src/json.ts";
import type { KnownField } from "./known-value.ts";
import { type Surroundings, scopeOf, variablesAt, visibleSteps } from "./variables.ts";

export const SurroundingsContext = createContext<Surroundings | null>(null);

export function useSurroundings(): Surroundings {
  const around = useContext(SurroundingsContext);
  if (around === null) throw new Error("There is no step here.");
  return around;
}

type Expressions = typeof import("./expressions.ts");

let loaded: Expressions | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (loaded === null) void load();
  return () => listeners.delete(listener);
}

async function load(): Promise<void> {
  try {
    loaded = await import("./expressions.ts");
  } catch {
    return; // after an update of the server; the server checks expressions as well
  }
  for (const listener of listeners) listener();
}

/** The language of expressions; null until it is loaded. */
export const useExpressions = (): Expressions | null => useSyncExternalStore(subscribe, () => loaded);

/** What expressions at a place can read. */
export function useVariables(place: Place): readonly KnownField[] {
  const around = useSurroundings();
  const visible = useVisibleSteps();
  const item = useItem();
  return useMemo(() => {
    const variables = variablesAt(place, around, visible);
    if (item === undefined) return variables;
    return variables.map((one) => (one.name === "item" ? { ...one, value: item } : one));
  }, [place, around, visible, item]);
}

export function useVisibleSteps(): ReadonlySet<string> {
  const { definition, stepKey } = useSurroundings();
  return useMemo(() => visibleSteps(definition, stepKey), [definition, stepKey]);
}

/** What expressions of the step would have read in the chosen run; null without one. */
export function useScope() {
  const around = useSurroundings();
  const visible = useVisibleSteps();
  const item = useItem();
  return useMemo(() => {
    const scope = scopeOf(around, visible);
    return scope === null || item === undefined ? scope : { ...scope, item };
  }, [around, visible, item]);
}

/** The first item of the list over which the step goes. */
function useItem(): JsonValue | undefined {
  const expressions = useExpressions();
  const around = useSurroundings();
  const visible = useVisibleSteps();
  return useMemo(() => {
    const step = around.definition.steps.find(({ key }) => key === around.stepKey);
    const scope = scopeOf(around, visible);
    if (expressions === null || scope === null || step === undefined || !("for_each" in step)) return undefined;
    const items = step.for_each?.items ?? "";
    if (items === "" || expressions.problemsOf(items, "either", "anywhere").length > 0) return undefined;
    const outcome = expressions.outcomeOf(items, "either", "anywhere", scope);
    return "value" in outcome && Array.isArray(outcome.value) ? outcome.value[0] : undefined;
  }, [expressions, around, visible]);
}
