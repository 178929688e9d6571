/** What the fields of a step know of the workflow around them. */
import { createContext, useContext, useMemo, useSyncExternalStore } from "react";
import type { ExpressionScope, Place } from "../../../../src/engine/expressions/expression-scope.ts";
import type { JsonValue } from "../../../../src/json.ts";
import { edgesFrom } from "../../../../src/workflows/graph.ts";
import type { KnownField } from "./known-value.ts";
import { type Surroundings, scopeOf, variablesAt, visibleSteps } from "./variables.ts";

/** Computed once for all fields of a step. */
interface Known extends Surroundings {
  readonly visible: ReadonlySet<string>;
  /** What expressions would have read in the chosen run; null without one. */
  readonly scope: Partial<ExpressionScope> | null;
  readonly variables: (place: Place) => readonly KnownField[];
}

const KnownContext = createContext<Known | null>(null);
export const SurroundingsContext = KnownContext.Provider;

function useKnown(): Known {
  const known = useContext(KnownContext);
  if (known === null) throw new Error("There is no step here.");
  return known;
}

export const useSurroundings = (): Surroundings => useKnown();

/** What expressions at a place can read. */
export const useVariables = (place: Place): readonly KnownField[] => useKnown().variables(place);

/** Keys of the steps that expressions can read. */
export const useVisibleSteps = (): ReadonlySet<string> => useKnown().visible;

/** What expressions of the step would have read in the chosen run; null without one. */
export const useScope = () => useKnown().scope;

/** For the provider of the context. */
export function useKnownAround(around: Surroundings): Known {
  const visible = useVisible(around);
  const item = useItem(around, visible);
  return useMemo(() => {
    const scope = scopeOf(around, visible);
    const byPlace = new Map<Place, readonly KnownField[]>();
    return {
      ...around,
      visible,
      scope: scope === null || item === undefined ? scope : { ...scope, item },
      variables(place) {
        const known = byPlace.get(place) ?? withItem(variablesAt(place, around, visible), item);
        byPlace.set(place, known);
        return known;
      },
    };
  }, [around, visible, item]);
}

function withItem(variables: readonly KnownField[], item: JsonValue | undefined): readonly KnownField[] {
  if (item === undefined) return variables;
  return variables.map((one) => (one.name === "item" ? { ...one, value: item } : one));
}

/** Depends on the edges only, which typing into a field rarely changes. */
function useVisible({ definition, stepKey }: Surroundings): ReadonlySet<string> {
  const { steps } = definition;
  const graph = JSON.stringify(steps.map((step) => [step.key, step.type, step.input_connected, edgesFrom(step)]));
  return useMemo(() => visibleSteps(definition, stepKey), [graph, stepKey]);
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

/** The first item of the list over which the step goes. */
function useItem(around: Surroundings, visible: ReadonlySet<string>): JsonValue | undefined {
  const expressions = useExpressions();
  return useMemo(() => {
    const step = around.definition.steps.find(({ key }) => key === around.stepKey);
    if (step === undefined || !("for_each" in step)) return undefined;
    const items = step.for_each?.items ?? "";
    const scope = scopeOf(around, visible);
    if (expressions === null || scope === null || items === "") return undefined;
    if (expressions.problemsOf(items, "either", "anywhere").length > 0) return undefined;
    const outcome = expressions.outcomeOf(items, "either", "anywhere", scope);
    return "value" in outcome && Array.isArray(outcome.value) ? outcome.value[0] : undefined;
  }, [expressions, around, visible]);
}
