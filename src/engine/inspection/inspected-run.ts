/** A run as it is inspected, the same for a run in memory, one that is only stored, and an ended one. */
import { StepwellError } from "../../errors.ts";
import type { JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import type { RunStep } from "../../runs/run-step.ts";
import type { Plan } from "../compile/plan.ts";
import type { Execution, OpenRun } from "../execution/execution-types.ts";
import type { ItemResults } from "../progress/for-each.ts";
import type { Progress } from "../progress/progress.ts";
import type { StepHistory } from "../progress/step-history.ts";
import type { StepState } from "../progress/step-state.ts";
import { isLargeValue, loadValues } from "../state/large-values.ts";
import { readJournal } from "../state/read-journal.ts";
import type { Replay } from "../state/replay.ts";
import { isEnded, type RunDocument, type StoredStep } from "../state/run-document.ts";
import { getRun } from "../state/run-snapshot.ts";
import { showOpenStep, showStored } from "../state/run-view.ts";
import type { CutJson } from "./json-preview.ts";
import { startOfResults, startOfValue } from "./stored-output.ts";

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
  /** The start of the output of a step of which only that was read. Undefined if the output was read, or is not longer. */
  start(index: number): CutJson | undefined;
}

/** Returns the indexes of the steps whose outputs are needed: those of an ended run are read one by one. */
export type Needs = (plan: Plan | null, keys: readonly string[], steps: readonly StoredStep[]) => Iterable<number>;

/** An output of which only the start is read, unless it is shorter. The results of items are known then, but not their outputs. */
export interface OutputStart {
  readonly index: number;
  /** Bytes of JSON. */
  readonly limit: number;
  /** Index of an item of `for_each`. Default: the output of the step. */
  readonly item?: number | undefined;
}

/** Returns the outputs of an ended run of which only the start is read: large ones. */
export type Starts = (plan: Plan | null, steps: readonly StoredStep[]) => readonly OutputStart[];

export type InspectRun = (runId: string, needs: Needs, starts?: Starts) => Promise<InspectedRun>;

export function createInspectRun(parts: {
  store: Store;
  clock: Clock;
  replay: Replay;
  execution(runId: string): Pick<Execution, "inspect"> | undefined;
}): InspectRun {
  const { store, clock, replay, execution } = parts;

  async function stored(document: RunDocument, needs: Needs, starts: Starts): Promise<InspectedRun> {
    if (isEnded(document)) return endedRun(document, await planOf(document), { needs, starts }, { store, clock });
    const replayed = await replay.run(document, (await readJournal(store, document.id)).entries);
    if (replayed.ok) return openRun({ ...replayed, document });
    throw new StepwellError("conflict", `The run cannot be read: ${replayed.error.message}`);
  }

  async function planOf(document: RunDocument): Promise<Plan | null> {
    const planned = await replay.plan(document);
    return planned.ok ? planned.plan : null;
  }

  return async (runId, needs, starts = () => []) => {
    const inMemory = (await execution(runId)?.inspect()) ?? null;
    if (inMemory !== null) return openRun(inMemory);
    for (;;) {
      const { document, version } = await getRun(store, runId);
      const found = await stored(document, needs, starts);
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
    state: (index) => progress.state(index),
    results: (index) => progress.itemResults(index),
    history: (index) => progress.history(index),
    start: () => undefined,
  };
}

const NOT_READ: JsonValue = null;

async function endedRun(
  document: RunDocument,
  plan: Plan | null,
  { needs, starts }: { readonly needs: Needs; readonly starts: Starts },
  sources: { readonly store: Store; readonly clock: Clock },
): Promise<InspectedRun> {
  const { store } = sources;
  const { steps = [] } = document;
  const keys = steps.map(({ key }) => key);
  const read = await readStarts(starts(plan, steps), steps, sources);
  const needed = [...new Set(needs(plan, keys, steps))].filter(
    (index) => steps[index] !== undefined && !read.outputs.has(index),
  );
  const values = await loadValues(
    store,
    needed.flatMap((index) => steps[index]?.output ?? []),
  );
  const outputs = new Map([...read.outputs, ...needed.map((index, at) => [index, values[at] ?? null] as const)]);
  const withHistory = [...outputs.keys()].filter((index) => steps[index]?.history !== undefined);
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
    start: (index) => read.starts.get(index),
  };
}

/** Reads the starts of large outputs. What is known without the rest stands for the outputs. */
async function readStarts(
  wanted: readonly OutputStart[],
  steps: readonly StoredStep[],
  sources: { readonly store: Store; readonly clock: Clock },
): Promise<{ readonly outputs: ReadonlyMap<number, JsonValue>; readonly starts: ReadonlyMap<number, CutJson> }> {
  const outputs = new Map<number, JsonValue>();
  const starts = new Map<number, CutJson>();
  for (const { index, limit, item } of wanted) {
    const { output, has_items } = steps[index] ?? {};
    if (output === undefined || !isLargeValue(output) || output.chars === undefined) continue;
    const isOfItems = has_items === true;
    const found = isOfItems ? await startOfResults(sources, output, limit, item) : null;
    const start = isOfItems ? found?.start : await startOfValue(sources, output, limit);
    if (start == null && found == null) continue;
    outputs.set(index, found === null ? NOT_READ : (found.results as unknown as JsonValue)); // an interface has no index signature
    if (start != null) starts.set(index, start);
  }
  return { outputs, starts };
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
