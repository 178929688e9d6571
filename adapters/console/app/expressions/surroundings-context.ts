/** What the fields of a step know of the workflow around them. */
import { createContext, useContext, useMemo } from "react";
import type { Place } from "../../../../src/engine/expressions/expression-scope.ts";
import type { JsonValue } from "../../../../src/json.ts";
import { edgesFrom } from "../../../../src/workflows/graph.ts";
import type { EditorProblem } from "../code-editor/completion.ts";
import { type FieldProblem, isError, messageOf } from "../elements/fields/field-note.tsx";
import { type Evaluations, ITEM, useEvaluations } from "./evaluations.ts";
import type { KnownField } from "./known-value.ts";
import { placeOf, type Surroundings, variablesAt, visibleSteps } from "./variables.ts";
import type { EvaluatedPlace } from "./wanted-expressions.ts";

/** Computed once for all fields of a step. */
interface Known extends Surroundings {
  readonly visible: ReadonlySet<string>;
  /** What the server has found wrong with the step, with the place in the text where it is known. */
  readonly problems: readonly EditorProblem[];
  /** Where most fields of the step stand. */
  readonly place: EvaluatedPlace;
  readonly evaluations: Evaluations;
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

/** Where most fields of the step stand. */
export const useOwnPlace = (): EvaluatedPlace => useKnown().place;

/** What expressions of the step give for the chosen run. */
export const useKnownEvaluations = (): Evaluations => useKnown().evaluations;

/** A message of the server with its place in the text, if it is about one place. */
export function useLocated(problem: FieldProblem | null): EditorProblem | null {
  const { problems } = useKnown();
  if (problem === null) return null;
  const message = messageOf(problem);
  return problems.find((one) => one.message === message) ?? { message, isWarning: !isError(problem) };
}

/** For the provider of the context. */
export function useKnownAround(around: Surroundings, problems: readonly EditorProblem[]): Known {
  const visible = useVisible(around);
  const evaluations = useEvaluations(around);
  const item = evaluations.results.get(ITEM)?.value;
  const variables = useMemo(() => {
    const byPlace = new Map<Place, readonly KnownField[]>();
    return (place: Place) => {
      const known = byPlace.get(place) ?? withItem(variablesAt(place, around, visible), item);
      byPlace.set(place, known);
      return known;
    };
  }, [around, visible, item]);
  return useMemo(() => {
    const step = around.definition.steps.find(({ key }) => key === around.stepKey);
    const place = step === undefined ? "anywhere" : placeOf(step);
    return { ...around, visible, variables, problems, place, evaluations };
  }, [around, visible, variables, problems, evaluations]);
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
