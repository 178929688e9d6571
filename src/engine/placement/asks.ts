/**
 * Requests to runs that another process executes. A request is stored, so that it reaches its worker even if no message
 * does. The worker stores the answer, with the effect where that could not be repeated. If the run leaves the worker first,
 * the process that asked withdraws the request and asks again.
 */

import type { Cluster } from "../../cluster/cluster.ts";
import { isStepwellError, StepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import { askKey, runKey } from "../../runs/run-rows.ts";
import { instant } from "../../time/iso.ts";
import { SECOND_MS } from "../../time/units.ts";
import type { Execution } from "../execution/execution-types.ts";
import type { RunDocument } from "../state/run-document.ts";
import { closingError } from "../step-error.ts";
import type { Asked, RunRequest } from "./placement.ts";

type Answer =
  | { readonly ok: true; readonly settled: readonly number[] }
  | { readonly ok: false; readonly code: StepwellError["code"]; readonly message: string };

interface AskDocument {
  readonly run_id: string;
  readonly worker: string;
  readonly request: RunRequest;
  /** ISO 8601 */
  readonly asked_at: string;
  readonly answer?: Answer;
}

export interface Asks {
  ask(document: RunDocument, request: RunRequest): Promise<Asked>;
  /** Carries out the requests to this process. Called with each beat, and when a message arrives. */
  handleAll(): Promise<void>;
  /** Deletes requests whose answers nobody has read. */
  deleteOld(): Promise<void>;
  /** Ends all waits for answers. */
  close(): void;
}

/** How long to wait for a message before the answer is looked up. */
const LOOK_MS = 2 * SECOND_MS;
/** How long an answer is kept until the process that asked reads it. */
const KEEP_MS = 600 * SECOND_MS;
/** All requests, by time. */
const ASKS = "asks";
const asksOf = (worker: string) => `asks.${worker}`;

export function createAsks(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  cluster: Pick<Cluster, "membership" | "signals">;
  isElsewhere(document: RunDocument): Promise<boolean>;
  /** Returns a run in memory. */
  find(runId: string): Execution | undefined;
}): Asks {
  const { store, clock, ids, logger, cluster, isElsewhere, find } = parts;
  const { membership, signals } = cluster;
  const wakers = new Map<string, () => void>();
  const inProgress = new Set<string>();
  let isClosed = false;

  signals.on("answer", (id) => wakers.get(id)?.());
  signals.on("ask", (worker) => {
    if (worker === membership.id) void handleAll().catch(onFailure);
  });

  function onFailure(error: unknown): void {
    if (!isClosed) logger.warn("could not read requests of other processes; retrying", { error });
  }

  function untilAnswered(id: string): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        wakers.delete(id);
        resolve();
      };
      const cancel = clock.after(LOOK_MS, done);
      wakers.set(id, done);
    });
  }

  /** Takes a request back. Returns false if it has been answered. */
  async function withdraw(id: string, { document, version }: Stored<AskDocument>): Promise<boolean> {
    try {
      await store.commit([removal(id, document, version)]);
      return true;
    } catch (error) {
      if (isStepwellError(error, "conflict")) return false;
      throw error;
    }
  }

  async function readAnswer(id: string): Promise<Asked | null> {
    const found = await store.get<AskDocument>(askKey(id));
    if (found === null) throw new StepwellError("unavailable", "The answer of another process is lost. Try again.");
    const { answer, run_id } = found.document;
    if (answer === undefined) {
      const run = await store.get<RunDocument>(runKey(run_id));
      const isStill = run?.document.worker === found.document.worker && (await isElsewhere(run.document));
      return !isStill && (await withdraw(id, found)) ? { kind: "moved" } : null;
    }
    await withdraw(id, found);
    if (!answer.ok) throw new StepwellError(answer.code, answer.message);
    return { kind: "done", settled: answer.settled };
  }

  async function handle(id: string): Promise<void> {
    const found = await store.get<AskDocument>(askKey(id));
    if (found === null || found.document.answer !== undefined) return;
    const { run_id, worker, request } = found.document;
    const execution = find(run_id);
    // If the run has just been evicted, the process that asked notices and asks the next worker.
    if (worker !== membership.id || execution === undefined) return;
    const answered = (answer: Answer): Change => {
      const document: AskDocument = { ...found.document, answer };
      return { key: askKey(id), document, expected: found.version, rows: [{ list: asksOf(worker), delete: id }] };
    };
    try {
      const done = await perform(execution, request, [answered({ ok: true, settled: [] })]);
      if (done === null) return;
      if (!done.isStored) await store.commit([answered({ ok: true, settled: done.settled })]);
    } catch (error) {
      if (!isStepwellError(error) || error.code === "unavailable" || error.key === askKey(id)) throw error;
      await store.commit([answered({ ok: false, code: error.code, message: error.message })]);
    }
    signals.send("answer", id);
  }

  async function handleOnce(id: string): Promise<void> {
    if (inProgress.has(id)) return;
    inProgress.add(id);
    try {
      await handle(id);
    } catch (error) {
      // The request was withdrawn, or the storage does not respond. The next beat looks again.
      if (!isStepwellError(error, "conflict")) onFailure(error);
    } finally {
      inProgress.delete(id);
    }
  }

  async function handleAll(): Promise<void> {
    const { ids: open } = await store.list(asksOf(membership.id), {
      limit: 500,
      descending: false,
      withoutTotal: true,
    });
    await Promise.all(open.map(handleOnce));
  }

  return {
    handleAll,

    async ask({ id: run_id, worker }, request) {
      if (typeof worker !== "string") return { kind: "moved" };
      const id = ids.next("ask");
      const document: AskDocument = { run_id, worker, request, asked_at: instant(clock.now()) };
      const rows = [
        { list: asksOf(worker), put: { id } },
        { list: ASKS, put: { id, order: document.asked_at } },
      ];
      await store.commit([{ key: askKey(id), document, rows }]);
      signals.send("ask", worker);
      for (;;) {
        await untilAnswered(id);
        if (isClosed) throw closingError();
        const answer = await readAnswer(id);
        if (answer !== null) return answer;
      }
    },

    async deleteOld() {
      const until = instant(clock.now() - KEEP_MS);
      const chosen = { limit: 500, descending: false, withoutTotal: true, until };
      const old = await store.listDocuments<AskDocument>(ASKS, chosen, askKey);
      for (const [index, stored] of old.documents.entries()) await withdraw(old.ids[index] ?? "", stored);
    },

    close() {
      isClosed = true;
      for (const wake of [...wakers.values()]) wake();
    },
  };
}

/**
 * @param changes To be committed with the effect of a request that could not be repeated.
 * @returns Whether `changes` are stored, and the number of steps that each event has settled. Null if the run has left memory
 * first.
 */
async function perform(
  execution: Execution,
  request: RunRequest,
  changes: readonly Change[],
): Promise<{ readonly isStored: boolean; readonly settled: readonly number[] } | null> {
  switch (request.kind) {
    case "provide": {
      const { index, value, wait } = request;
      return (await execution.provide(index, value, wait, changes)) ? { isStored: true, settled: [] } : null;
    }
    case "end":
      return (await execution.end(request.error)) ? { isStored: false, settled: [] } : null;
    case "resume":
      return (await execution.resume()) ? { isStored: false, settled: [] } : null;
    case "receive": {
      const { settled, isComplete } = await execution.receive(request.events);
      return isComplete ? { isStored: false, settled } : null;
    }
  }
}

function removal(id: string, { worker }: AskDocument, expected: number): Change {
  const rows = [
    { list: asksOf(worker), delete: id },
    { list: ASKS, delete: id },
  ];
  return { key: askKey(id), document: null, expected, rows };
}
