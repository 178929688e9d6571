/**
 * Delivers events: first to the runs that wait for them, then to the workflows that start on them. How far a delivery
 * has come is stored, and whatever is repeated after a crash has no effect a second time.
 */
import { updateDocument } from "../documents/documents.ts";
import { isStepwellError, type StepwellError } from "../errors.ts";
import { pickFields } from "../hooks/pick-fields.ts";
import { omitUndefined } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Logger } from "../ports/logger.ts";
import type { RowPage, Store } from "../ports/store.ts";
import { isRefused, type PrepareRun } from "../runs/prepare-run.ts";
import { DescendantLimitError, type Executor } from "../runs/run-executor.ts";
import { createDurableTimers, type DurableTimers, dueRow } from "../time/durable-timers.ts";
import { instant } from "../time/iso.ts";
import { definitionAt, startOf } from "../workflows/start-step.ts";
import type { Version } from "../workflows/version.ts";
import {
  type AppEvent,
  concernedBy,
  eventKey,
  eventStartsOf,
  eventWaitsOf,
  type ReceivedEvent,
  toReceived,
} from "./app-event.ts";
import { putEvent } from "./app-events.ts";
import { runOfWait } from "./event-wait.ts";
import { type AppEventDocument, type EventDelivery, UNDELIVERED_EVENTS } from "./stored-event.ts";

/** What a page of a delivery has caused. */
type Effects = Pick<AppEvent, "runs_resumed" | "runs_started" | "problems">;

/** Runs and workflows considered between two commits. */
const PAGE = 50;
/** Maximum number of runs and of problems that an event names. */
const MAX_NAMED = 100;
/** Maximum number of runs that emit an event which starts the next. More is usually a workflow that starts itself. */
const MAX_DEPTH = 16;

export function createEventDeliveries(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  hash: Hash;
  executor: Pick<Executor, "start" | "receive">;
  prepare: PrepareRun;
  latest(appId: string, workflowId: string): Promise<Version>;
  /** Whether the settings of the version name the event. */
  startsOn(
    version: Version,
    event: ReceivedEvent,
    onFailure: (error: Error, isFirst: boolean) => void,
  ): Promise<boolean>;
}): DurableTimers {
  const { store, clock, logger, hash, executor, prepare, latest, startsOn } = parts;
  const find = (eventId: string) => store.get<AppEventDocument>(eventKey(eventId));

  /**
   * A run or workflow that fails does not hold up the others: the delivery goes on, and starts again at its page later.
   */
  async function deliver(eventId: string): Promise<void> {
    const document = (await find(eventId))?.document;
    if (document === undefined) return forget(eventId);
    const failures: unknown[] = [];
    for (let next = document.delivery; next !== undefined; ) {
      const { to, after } = next;
      const list = to === "runs" ? eventWaitsOf(document.app_id) : eventStartsOf(document.app_id);
      const chosen = { limit: PAGE, descending: false, withoutTotal: true, after, marks: concernedBy(document) };
      const page = await store.list(list, chosen);
      const effects =
        to === "runs" ? await resume(document, page.ids, failures) : await startAll(document, page.ids, failures);
      next = afterPage(to, page);
      await record(eventId, effects, failures.length === 0 ? { next } : null);
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Removes the row of an event that expired before it could be delivered. */
  function forget(eventId: string): Promise<void> {
    const rows = [dueRow(UNDELIVERED_EVENTS, eventId, null)];
    return store.commit([{ key: eventKey(eventId), document: null, expected: null, rows }]);
  }

  async function resume(event: AppEventDocument, waits: readonly string[], failures: unknown[]): Promise<Effects> {
    let runs_resumed = 0;
    const runs = [...new Set(waits.map(runOfWait))];
    for (const one of await Promise.allSettled(runs.map((runId) => executor.receive(runId, [toReceived(event)])))) {
      if (one.status === "fulfilled") runs_resumed += one.value;
      else failures.push(one.reason);
    }
    return { runs_resumed, runs_started: [], problems: [] };
  }

  async function startAll(
    event: AppEventDocument,
    workflows: readonly string[],
    failures: unknown[],
  ): Promise<Effects> {
    const runs_started: string[] = [];
    const problems: Effects["problems"] = [];
    for (const workflowId of workflows) {
      try {
        const runId = await start(event, workflowId);
        if (runId !== null) runs_started.push(runId);
      } catch (error) {
        if (!isPermanent(error)) {
          failures.push(error);
          continue;
        }
        logger.warn("could not start a workflow on an event", { event: event.id, workflow: workflowId, error });
        problems.push({ workflow_id: workflowId, code: error.code, message: error.message });
      }
    }
    return { runs_resumed: 0, runs_started, problems };
  }

  /** Starts a run, unless the workflow's condition does not hold. Its id comes from the event, so it starts once. */
  async function start(event: AppEventDocument, workflowId: string): Promise<string | null> {
    const version = await latest(event.app_id, workflowId);
    const isStart = await startsOn(version, event, (error, isFirst) => {
      const fields = { workflow: workflowId, event: event.id, error };
      logger[isFirst ? "warn" : "info"]("a condition of start_on could not be evaluated for an event", fields);
    });
    if (!isStart) return null;
    if (event.nesting.depth >= MAX_DEPTH) throw new EventDepthError();
    const { id, name, subject } = event;
    const trigger = { type: "event", id, event: { name, subject } } as const;
    const input = pickFields(definitionAt(version, startOf(version, undefined)), event.payload);
    const prepared = await prepare(event.app_id, workflowId, { input, version: version.id }, trigger);
    const runId = `run_${hash.sha256(`${event.id}/${workflowId}`).slice(0, 26)}`;
    try {
      const { nesting } = event;
      const run = await executor.start({ ...prepared, id: runId, hasDerivedId: true, nesting }, () => []);
      return run.id;
    } catch (error) {
      if (isStepwellError(error, "conflict") && error.key === `run:${runId}`) return runId; // started before a crash
      throw error;
    }
  }

  /** @param position What to consider next, nothing if the delivery is complete; null to keep it where it is stored. */
  async function record(
    eventId: string,
    effects: Effects,
    position: { readonly next: EventDelivery | undefined } | null,
  ): Promise<void> {
    await updateDocument<AppEventDocument, void>(store, eventKey(eventId), (found) => {
      if (found === null) return { changes: [], result: undefined };
      const { delivery, delivered_at, ...document } = found.document;
      const next = position === null ? delivery : position.next;
      // What is considered again may be named already.
      const known = new Set(document.problems.map(({ workflow_id }) => workflow_id));
      const problems = effects.problems.filter(({ workflow_id }) => !known.has(workflow_id));
      const after: AppEventDocument = {
        ...document,
        delivered_at: next === undefined ? instant(clock.now()) : delivered_at,
        runs_resumed: document.runs_resumed + effects.runs_resumed,
        runs_started: [...new Set([...document.runs_started, ...effects.runs_started])].slice(0, MAX_NAMED),
        problems: [...document.problems, ...problems].slice(0, MAX_NAMED),
        ...omitUndefined({ delivery: next }),
      };
      return { changes: [putEvent(after, found.version)], result: undefined };
    });
  }

  return createDurableTimers({
    ...{ store, clock, logger, list: UNDELIVERED_EVENTS, onDue: deliver },
    dueOf: async (eventId) => {
      const document = (await find(eventId))?.document;
      return document?.delivery === undefined ? null : document.created_at;
    },
  });
}

function afterPage(to: EventDelivery["to"], { next }: RowPage): EventDelivery | undefined {
  if (next !== undefined) return { to, after: next };
  return to === "runs" ? { to: "workflows" } : undefined;
}

class EventDepthError extends Error {
  readonly code = "depth_limit";
  constructor() {
    super(`Runs that events start must not be nested deeper than ${MAX_DEPTH} levels.`);
  }
}

/** Whether retrying is pointless. */
function isPermanent(error: unknown): error is StepwellError | EventDepthError | DescendantLimitError {
  return error instanceof EventDepthError || error instanceof DescendantLimitError || isRefused(error);
}
