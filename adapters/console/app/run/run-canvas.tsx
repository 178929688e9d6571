/** A run on the canvas of its version: statuses on the steps, and the edges that it took. */
import { useMemo, useRef, useState } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import type { RunStep } from "../../../../src/runs/run-step.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import { canvasGraphOf } from "../canvas/canvas-graph.ts";
import type { StepMark } from "../canvas/canvas-store.ts";
import { Loading } from "../elements/loading.tsx";
import { useNarrow } from "../elements/media-queries.ts";
import { part } from "../loading/part.tsx";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { takenEdges } from "./edges-taken.ts";
import { useShownRun } from "./run-context.ts";
import { timesText } from "./times-text.ts";
import { useConditionValues } from "./use-condition-values.ts";
import { waitsForPerson } from "./waterfall/bars.ts";

// What draws graphs is half of the page: it is loaded when somebody looks at one.
const Canvas = part(async () => ({ default: (await import("../canvas/canvas.tsx")).Canvas }));

export function RunCanvas() {
  const { steps } = useShownRun().definition;
  return <div className="run-canvas">{steps === null ? <Loading /> : <StepsOfRun steps={steps} />}</div>;
}

function StepsOfRun({ steps }: { readonly steps: readonly Step[] }) {
  const texts = useTexts();
  const { live, definition, chosen, choose, comparison } = useShownRun();
  const { run } = live;
  const graph = useMemo(() => canvasGraphOf(steps), [steps]);
  // There, a step is a page of its own, which only Enter or a click opens.
  const isNarrow = useNarrow();
  const [passed, setPassed] = useState<string | null>(null);
  const marks = useMarks(run.steps, definition.byKey, comparison?.differing);
  const values = useConditionValues();
  const edgeMarks = useMemo(
    () => takenEdges(graph, definition.byKey, run.steps, values),
    [graph, definition.byKey, run.steps, values],
  );
  return (
    <Canvas
      label={texts.run.canvas}
      steps={steps}
      marks={marks}
      edgeMarks={edgeMarks}
      chosen={isNarrow ? passed : chosen}
      onChoose={isNarrow ? setPassed : (step) => choose(step)}
      onOpen={isNarrow ? (step) => choose(step) : focusTab}
      opensOnClick={isNarrow}
    />
  );
}

const focusTab = () => document.querySelector<HTMLElement>(".run-inspector [role=tab][tabindex='0']")?.focus();

/** A mark for each step. Those of steps that have not changed keep their object. */
function useMarks(
  steps: readonly RunStep[],
  definitions: ReadonlyMap<string, Step>,
  differing: ReadonlySet<string> | undefined,
) {
  const texts = useTexts();
  const format = useFormat();
  const kept = useRef(new Map<RunStep, StepMark>());
  return useMemo(() => {
    const next = new Map<RunStep, StepMark>();
    const marks = new Map<string, StepMark>();
    for (const step of steps) {
      // Nothing is executed of it.
      if (step.type === "note") continue;
      const isDifferent = differing?.has(step.key) === true;
      const old = kept.current.get(step);
      const mark = old !== undefined && (old.change !== undefined) === isDifferent ? old : markOf(step, isDifferent);
      next.set(step, mark);
      marks.set(step.key, mark);
    }
    kept.current = next;
    return marks;

    function markOf(step: RunStep, isDifferent: boolean): StepMark {
      const { started_at, finished_at, attempts, items } = step;
      const took =
        started_at === null || finished_at === null
          ? undefined
          : format.duration(Math.max(0, Date.parse(finished_at) - Date.parse(started_at)));
      const tries = timesText(texts.run, step, definitions.get(step.key), undefined);
      const counts = items === undefined ? undefined : texts.run.items(items.failed, items.total);
      const detail = [counts, tries, took].filter((part) => part !== undefined).join(" · ");
      const word = texts.statuses[step.status].toLowerCase();
      return {
        status: step.status,
        isForPerson: waitsForPerson(step, definitions.get(step.key)),
        spoken: texts.run.spoken(word, tries === undefined ? 1 : attempts),
        ...omitUndefined({
          detail: detail === "" ? undefined : detail,
          change: isDifferent ? ("changed" as const) : undefined,
        }),
      };
    }
  }, [steps, definitions, differing, texts, format]);
}
