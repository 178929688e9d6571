/** A run as it is inspected, the same for a run in memory, one that is only stored, and an ended one. */
import { StepwellError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import type { Store } from "../../ports/store.ts";
import type { RunStep } from "../../runs/run-step.ts";
import type { Plan } from "../compile/plan.ts";
import type { Execution, OpenRun } from "../execution/execution-types.ts";
import type { ItemResults } from "../progress/for-each.ts";
import type { Progress } from "../progress/progress.ts";
import type { StepHistory } from "../progress/step-history.ts";
import type { StepState } from "../progress/step-state.ts";
import { loadValues } from "../state/large-values.ts";
import { readJournal } from "../state/read-journal.ts";
import type { Replay } from "../state/replay.ts";
import { isEnded, type RunDocument, type StoredStep } from "../state/run-document.ts";
import { getRun } from "../state/run-snapshot.ts";
import { showOpenStep, showStored } from "../state/run-view.ts";

export interface InspectedRun {
  readonly document: RunDocument;
  /** Null if the version of an ended run no longer exists, or cannot be compiled. */
  readonly plan: Plan | null;
  /** Null for an ended run. */
  readonly progress: Progress | null;
  /** Keys of the steps, in the order of the version. */
  readonly keys: readonly string[];
  /** The step as in the run. */
  shown(index: number): RunStep;
  /** The state of a step that has begun; undefined for others. */
  state(index: number): StepState | undefined;
  /** The results of the items of a step with `for_each`. */
  results(index: number): ItemResults | undefined;
  history(index: number): StepHistory | undefined;
}

/** Returns the indexes of the steps whose outputs are needed: those of an ended run are read one by one. */
export type Needs = (plan: Plan | null, keys: readonly string[], steps: readonly StoredStep[]) => Iterable<number>;

export type InspectRun = (runId: string, needs: Needs) => Promise<InspectedRun>;

export function createInspectRun(parts: {
  store: Store;
  replay: Replay;
  execution(runId: string): Pick<Execution, "inspect"> | undefined;
}): InspectRun {
  const { store, replay, execution } = parts;

  async function stored(document: RunDocument, needs: Needs): Promise<InspectedRun> {
    if (isEnded(document)) return endedRun(document, await planOf(document), needs, store);
    const replayed = await replay.run(document, (await readJournal(store, document.id)).entries);
    if (replayed.ok) return openRun({ ...replayed, document });
    throw new StepwellError("conflict", `The run cannot be read: ${replayed.error.message}`);
  }

  async function planOf(document: RunDocument): Promise<Plan | null> {
    const planned = await replay.plan(document);
    return planned.ok ? planned.plan : null;
  }

  return async (runId, needs) => {
    const inMemory = (await execution(runId)?.inspect()) ?? null;
    if (inMemory !== null) return openRun(inMemory);
    for (;;) {
      const { document, version } = await getRun(store, runId);
      const found = await stored(document, needs);
      // The journal and large values are other documents, which change together with that of the run.
      if ((await getRun(store, runId)).version === version) return found;
    }
  };
}

function openRun({ document, plan, progress }: OpenRun): InspectedRun {
  return {
    ...{ document, plan, progress },
    keys: plan.steps.map(({ step }) => step.key),
    shown: (index) => showOpenStep(document, plan, progress, index),
    state: progress.state,
    results: progress.itemResults,
    history: progress.history,
  };
}

const NOT_READ: JsonValue = null;

async function endedRun(document: RunDocument, plan: Plan | null, needs: Needs, store: Store): Promise<InspectedRun> {
  const { steps = [] } = document;
  const keys = steps.map(({ key }) => key);
  const needed = [...new Set(needs(plan, keys, steps))].filter((index) => steps[index] !== undefined);
  const values = await loadValues(
    store,
    needed.flatMap((index) => steps[index]?.output ?? []),
  );
  const outputs = new Map(needed.map((index, at) => [index, values[at] ?? null]));
  const withHistory = needed.filter((index) => steps[index]?.history !== undefined);
  const found = await loadValues(
    store,
    withHistory.flatMap((index) => steps[index]?.history ?? []),
  );
  const historyOf = new Map(withHistory.map((index, at) => [index, found[at]]));

  function results(index: number): ItemResults | undefined {
    if (steps[index]?.has_items !== true || !outputs.has(index)) return undefined;
    return outputs.get(index) as unknown as ItemResults; // as `foldRun` stored it
  }

  return {
    ...{ document, plan, progress: null, keys, results },
    shown(index) {
      const step = steps[index];
      if (step === undefined) throw new RangeError(`The run has no step ${index}.`);
      if (step.has_items !== true || outputs.has(index)) return showStored(step, outputs.get(index) ?? NOT_READ);
      const { has_items: _, ...rest } = step;
      return showStored(rest, NOT_READ);
    },
    state(index) {
      const step = steps[index];
      return step === undefined ? undefined : stateOf(step, outputs.get(index) ?? NOT_READ, results(index));
    },
    history: (index) => (historyOf.get(index) ?? undefined) as StepHistory | undefined, // as `foldRun` stored it
  };
}

function stateOf(step: StoredStep, value: JsonValue, results: ItemResults | undefined): StepState | undefined {
  const { status, started_at, finished_at, error, attempts, caught_by: caughtBy } = step;
  if (status === "pending" || (status === "canceled" && started_at === null)) return undefined;
  const times = { started_at: inMs(started_at), finished_at: inMs(finished_at) };
  const errors = results === undefined || results.errors.length === 0 ? {} : { errors: results.errors };
  const output = results === undefined ? value : results.output;
  // A canceled step was executing, or waiting for something.
  const settled = status === "canceled" ? "running" : status;
  return { status: settled, output, error, attempts, caughtBy, logs: [], ...times, ...errors };
}

const inMs = (instant: string | null) => (instant === null ? null : Date.parse(instant));
