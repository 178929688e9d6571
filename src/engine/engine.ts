/** Carries out runs: starts them, takes them up again after a crash, and lets go of those that only wait. DESIGN 5. */
import { instant } from "../clock.ts";
import { notFound, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Store, Stored } from "../ports/store.ts";
import type { Executor, NewRun } from "../runs/executor.ts";
import type { Run, RunError } from "../runs/run.ts";
import { ACTIVE, runKey } from "../runs/run-rows.ts";
import type { Version } from "../workflows/version.ts";
import type { Plan } from "./compile.ts";
import type { CompiledVersions } from "./compiled-versions.ts";
import { createExecution, type Execution, type Found } from "./execution.ts";
import { folded, type Journal, load, readJournal, resumed } from "./journal.ts";
import { createProgress, type Progress } from "./progress.ts";
import { ended, fold, isOver, newDocument, type RunDocument, running, showEnded, showRunning } from "./run-document.ts";
import type { Effects } from "./step-kind.ts";

export interface Engine extends Executor {
  /** Takes up every run that an earlier process left. Settles when all of them are under way again. */
  resume(): Promise<void>;
  /** Starts nothing more, and waits for what is under way, so many milliseconds at the most. */
  close(grace: number): Promise<void>;
}

/** Executions of a run without any progress after which it counts as what kills the process. DESIGN 5.4. */
const POISON = 3;
const BATCH = 100;

export function createEngine(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  compiled: CompiledVersions;
  findVersion(versionId: string): Promise<Version | null>;
  /** What steps may use. @param engine For runs that steps start. */
  effects(engine: Executor): Effects;
}): Engine {
  const { store, clock, logger, compiled, findVersion } = parts;
  const executions = new Map<string, Execution>();
  /** Runs that are just being read, so that none is taken up twice. */
  const opening = new Map<string, Promise<Execution | null>>();
  /** Runs that are stored a moment before they are in memory. */
  const starting = new Set<string>();
  const waiters = new Map<string, Set<(error?: StepwellError) => void>>();
  let closed = false;

  function tell(runId: string, error?: StepwellError): void {
    const told = waiters.get(runId);
    waiters.delete(runId);
    for (const waiter of told ?? []) waiter(error);
  }

  function execute(found: Found): Execution {
    const { id } = found.document;
    const execution = createExecution(found, {
      store,
      clock,
      logger,
      effects,
      left(how) {
        executions.delete(id);
        if (how !== "waiting") tell(id, how === "ended" ? undefined : how);
      },
    });
    executions.set(id, execution);
    return execution;
  }

  async function start(run: NewRun, receipt: Parameters<Executor["start"]>[1]): Promise<Run> {
    if (closed) throw new StepwellError("unavailable", "The service is closing: no run is started any more.");
    const now = clock.now();
    const begun = newDocument(run, instant(now));
    const plan = (await compiled.get(run.version)).plan(placeOf(run.version, run.start));
    const progress = createProgress(plan, baseScope(begun));
    const ready = progress.begin(now);
    const expected = run.parent === null ? undefined : null;

    if (progress.open === 0 || progress.failure !== null) {
      const status = progress.failure === null ? "succeeded" : "failed";
      const end = { status, error: progress.failure, at: instant(clock.now()) } as const;
      const { document, changes } = fold(begun, plan, progress, end, new Set());
      const answer = showEnded(
        document,
        plan.steps.map((_, index) => progress.state(index)?.output ?? null),
      );
      await store.commit([...changes, withExpected(ended(document, undefined), expected), ...receipt(answer)]);
      return answer;
    }
    const isWaiting = progress.waiting === progress.open;
    const document: RunDocument = isWaiting ? { ...begun, status: "waiting" } : begun;
    const answer = showRunning(document, plan, progress);
    starting.add(document.id);
    try {
      await store.commit([withExpected(running(document, undefined), expected), ...receipt(answer)]);
      if (!isWaiting) execute({ document, version: 1, plan, progress, records: 0, values: new Set() }).run(ready);
    } finally {
      starting.delete(document.id);
    }
    return answer;
  }

  /** How far a stored run has come. */
  async function replay(
    document: RunDocument,
    journal: Journal,
  ): Promise<{ plan: Plan; progress: Progress; ready: Set<number> } | RunError> {
    const version = await findVersion(document.workflow_version_id);
    if (version === null) return { code: "version_missing", message: "The version of the run is gone." };
    const { problems, plan: planOf } = await compiled.get(version);
    const [problem] = problems;
    if (problem !== undefined) return { code: "invalid_version", message: `${problem.pointer}: ${problem.message}` };
    const plan = planOf(placeOf(version, document.start));
    const progress = createProgress(plan, baseScope(document));
    const ready = new Set(progress.begin(Date.parse(document.created_at)));
    for (const { index, outcome } of journal.entries) {
      ready.delete(index);
      for (const next of progress.settle(index, outcome)) ready.add(next);
    }
    return { plan, progress, ready };
  }

  /** Brings a stored run into memory; null when it has ended. */
  function open(runId: string): Promise<Execution | null> {
    const live = executions.get(runId);
    if (live !== undefined) return Promise.resolve(live);
    let under = opening.get(runId);
    if (under === undefined) {
      under = read(runId).finally(() => opening.delete(runId));
      opening.set(runId, under);
    }
    return under;
  }

  async function read(runId: string): Promise<Execution | null> {
    const { document, version } = await find(runId);
    if (isOver(document)) return null;
    const journal = await readJournal(store, runId);
    const found = await replay(document, journal);
    if ("code" in found) {
      await endAsFailed(document, version, journal, found);
      return null;
    }
    const { plan, progress, ready } = found;
    let { records } = journal;
    // A run that only waits for others brings no process down: those count for themselves.
    const isAtWork = [...ready].some((index) => plan.steps[index]?.step.type !== "workflow");
    if (document.status === "running" && isAtWork) {
      if (journal.idle >= POISON - 1) {
        const message = `The run was taken up ${POISON} times without getting any further.`;
        await endAsFailed(document, version, journal, { code: "poison_run", message });
        return null;
      }
      records++;
      await store.commit([resumed(runId, records)]);
    }
    const execution = execute({ document, version, plan, progress, records, values: journal.values });
    if (document.status === "running") execution.run([...ready]);
    return execution;
  }

  /** A run that comes to wait leaves memory, perhaps just when it is asked something: then it is read anew. */
  async function whileInMemory(runId: string, ask: (execution: Execution | null) => Promise<boolean>): Promise<void> {
    while (!(await ask(await open(runId)))) {
      if (closed)
        throw new StepwellError("unavailable", "The service is closing; the run goes on with the next start.");
    }
  }

  /** What this process has started itself, or has ended or come to wait since it was listed, is left alone. */
  async function takeUp(runId: string): Promise<void> {
    if (starting.has(runId) || executions.has(runId)) return;
    const { document } = await find(runId);
    if (document.status === "running" && !starting.has(runId)) await open(runId);
  }

  async function endAsFailed(
    document: RunDocument,
    version: number,
    { records, values }: Journal,
    error: RunError,
  ): Promise<void> {
    const last: RunDocument = {
      ...document,
      status: "failed",
      error,
      finished_at: instant(clock.now()),
      steps: [],
      leaves: [],
    };
    await store.commit([ended(last, version), ...folded(document.id, records, values)]);
    tell(document.id);
  }

  async function find(runId: string): Promise<Stored<RunDocument>> {
    const found = await store.get<RunDocument>(runKey(runId));
    if (found === null) throw notFound("run", runId);
    return found;
  }

  async function get(runId: string): Promise<Run | null> {
    const live = executions.get(runId);
    if (live !== undefined) return live.snapshot();
    const stored = await store.get<RunDocument>(runKey(runId));
    if (stored === null) return null;
    const { document } = stored;
    if (isOver(document))
      return showEnded(
        document,
        await load(
          store,
          (document.steps ?? []).map(({ output }) => output),
        ),
      );
    const found = await replay(document, await readJournal(store, runId));
    if ("code" in found) throw new StepwellError("conflict", `The run cannot be shown: ${found.message}`);
    return showRunning(document, found.plan, found.progress);
  }

  const engine: Engine = {
    start,
    get,

    async ended(runId, signal) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const told = waiters.get(runId) ?? new Set();
        waiters.set(runId, told);
        const settle = (error?: unknown) => {
          told.delete(waiter);
          clearInterval(hold);
          signal?.removeEventListener("abort", aborted);
          if (error === undefined) resolve();
          else reject(error);
        };
        const waiter = (error?: StepwellError) => settle(error);
        const aborted = () => settle(signal?.reason);
        // Timers of the clock let a process end; one that waits for a run must not.
        const hold = setInterval(() => {}, 2 ** 30);
        told.add(waiter);
        signal?.addEventListener("abort", aborted);
        // It may have ended before anybody could be told.
        if (!executions.has(runId)) {
          find(runId).then(
            ({ document }) => {
              if (isOver(document)) settle();
            },
            (error: unknown) => settle(error),
          );
        }
      });
    },

    async cancel(runId) {
      await whileInMemory(runId, async (execution) => execution === null || execution.cancel());
    },

    async provide(runId, stepKey, values) {
      const { document } = await find(runId);
      const version = await findVersion(document.workflow_version_id);
      const index = version?.steps.findIndex(({ key }) => key === stepKey) ?? -1;
      await whileInMemory(runId, async (execution) => {
        if (execution === null) throw new StepwellError("conflict", "The run has ended.");
        return execution.provide(index, values);
      });
    },

    async resume() {
      for (let after: string | undefined; ; ) {
        const page = await store.list(ACTIVE, {
          limit: BATCH,
          descending: false,
          ...(after === undefined ? {} : { after }),
        });
        for (const runId of page.ids) {
          if (closed) return;
          await takeUp(runId).catch((error: unknown) =>
            logger.error("a run could not be taken up again", { run: runId, error }),
          );
        }
        if (page.next === undefined) return;
        after = page.next;
      }
    },

    async close(grace) {
      closed = true;
      let cancelTimer = () => {};
      const timeUp = new Promise<void>((resolve) => {
        cancelTimer = clock.after(grace, resolve);
      });
      await Promise.all([...executions.values()].map((execution) => execution.suspend(timeUp)));
      cancelTimer();
      for (const runId of [...waiters.keys()]) {
        tell(runId, new StepwellError("unavailable", "The service is closing; the run goes on with the next start."));
      }
    },
  };
  const effects = parts.effects(engine);
  return engine;
}

function placeOf({ steps }: Version, key: string | null): number | undefined {
  const index = key === null ? -1 : steps.findIndex((step) => step.key === key);
  return index < 0 ? undefined : index;
}

function baseScope({ values, id, workflow_id, version, app_id, app_name }: RunDocument) {
  return { input: values, run: { id, workflow_id, version }, app: { id: app_id, name: app_name } };
}

function withExpected<T extends object>(change: T, expected: null | undefined): T | (T & { expected: null }) {
  return expected === undefined ? change : { ...change, expected };
}
