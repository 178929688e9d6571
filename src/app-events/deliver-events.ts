/**
 * Delivers events page by page: first to the runs that wait for them, then to the workflows that start on them. How far a
 * delivery has come is stored, and whatever is repeated after a crash has no effect a second time.
 */
import { retryOnConflict } from "../documents/retry-on-conflict.ts";
import { isStepwellError, type StepwellError } from "../errors.ts";
import { pickFields } from "../hooks/pick-fields.ts";
import { omitUndefined } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Logger } from "../ports/logger.ts";
import type { Change, RowPage, Store, Stored } from "../ports/store.ts";
import { isRefused, type PrepareRun } from "../runs/prepare-run.ts";
import { DescendantLimitError, type Executor } from "../runs/run-executor.ts";
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
import { type AppEventDocument, deliveredRow, type EventDelivery } from "./stored-event.ts";

/** What a page of a delivery has caused. */
type Effects = Pick<AppEvent, "runs_resumed" | "runs_started" | "problems">;
const NO_EFFECTS: Effects = { runs_resumed: 0, runs_started: [], problems: [] };

/** Runs and workflows considered between two commits. */
const PAGE = 50;
/** Maximum number of runs and of problems that an event names. */
const MAX_NAMED = 100;
/** Maximum number of runs that emit an event which starts the next. More is usually a workflow that starts itself. */
const MAX_DEPTH = 16;

export interface DeliverEventsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hash: Hash;
  readonly executor: Pick<Executor, "start" | "receive">;
  readonly prepare: PrepareRun;
  latest(appId: string, workflowId: string): Promise<Version>;
  /** Whether the settings of the version name the event. */
  startsOn(
    version: Version,
    event: ReceivedEvent,
    onFailure: (error: Error, isFirst: boolean) => void,
  ): Promise<boolean>;
}

/** Events of an app whose deliveries have come equally far. */
export interface EventGroup {
  readonly ids: readonly string[];
  readonly at: EventDelivery;
}

/**
 * A run or workflow that fails does not hold up the others: its error is added to `failures`. While there are any, the
 * stored position stays, so that the delivery starts again there later.
 */
export interface DeliverEvents {
  /** Groups events that follow each other. Leaves out those that cannot be read, and those that expired. */
  groups(eventIds: readonly string[], failures: unknown[]): Promise<readonly EventGroup[]>;
  /** Delivers events to the next page of runs that wait. Returns the next position. */
  toRuns(eventIds: readonly string[], at: EventDelivery, failures: unknown[]): Promise<EventDelivery>;
  /** Delivers an event to the next page of workflows. Returns the next position; nothing after the last page. */
  toWorkflows(eventId: string, at: EventDelivery, failures: unknown[]): Promise<EventDelivery | undefined>;
}

export function createDeliverEvents(parts: DeliverEventsParts): DeliverEvents {
  const { store, clock, logger, hash, executor, prepare, latest, startsOn } = parts;

  async function find(eventIds: readonly string[]): Promise<readonly AppEventDocument[]> {
    const found = await store.getMany<AppEventDocument>(eventIds.map(eventKey));
    return found.flatMap((one) => (one === null ? [] : [one.document]));
  }

  /** Where the delivery of an event is; nothing if it expired, whose row is then removed. */
  async function positionOf(eventId: string): Promise<EventDelivery | undefined> {
    const key = eventKey(eventId);
    const found = await store.get<AppEventDocument>(key);
    if (found === null) await store.commit([{ key, document: null, expected: null, rows: [deliveredRow(eventId)] }]);
    return found?.document.delivery;
  }

  async function groups(eventIds: readonly string[], failures: unknown[]): Promise<readonly EventGroup[]> {
    const found: { readonly ids: string[]; readonly at: EventDelivery }[] = [];
    const positions = await Promise.allSettled(eventIds.map(positionOf));
    for (const [index, id] of eventIds.entries()) {
      const position = positions[index];
      if (position?.status === "rejected") failures.push(position.reason);
      if (position?.status !== "fulfilled" || position.value === undefined) continue;
      const at = position.value;
      const last = found.at(-1);
      if (last?.at.to === at.to && last.at.after === at.after) last.ids.push(id);
      else found.push({ ids: [id], at });
    }
    return found;
  }

  function pageOf(list: string, { after }: EventDelivery, events: readonly AppEventDocument[]): Promise<RowPage> {
    return store.list(list, { limit: PAGE, descending: false, withoutTotal: true, after, marks: concernedBy(events) });
  }

  /** Each run is loaded once for all events, and decides for each whether it waits for it. */
  async function toRuns(eventIds: readonly string[], at: EventDelivery, failures: unknown[]): Promise<EventDelivery> {
    const events = await find(eventIds);
    const [first] = events;
    if (first === undefined) return { to: "workflows" };
    const page = await pageOf(eventWaitsOf(first.app_id), at, events);
    const resumed = await resume(events, [...new Set(page.ids.map(runOfWait))], failures);
    const next: EventDelivery = page.next === undefined ? { to: "workflows" } : { to: "runs", after: page.next };
    const effects = new Map(events.map(({ id }, index) => [id, { ...NO_EFFECTS, runs_resumed: resumed[index] ?? 0 }]));
    await record(effects, failures.length === 0 ? { next } : null);
    return next;
  }

  async function toWorkflows(
    eventId: string,
    at: EventDelivery,
    failures: unknown[],
  ): Promise<EventDelivery | undefined> {
    const [event] = await find([eventId]);
    if (event === undefined) return undefined;
    const page = await pageOf(eventStartsOf(event.app_id), at, [event]);
    const effects = await startAll(event, page.ids, failures);
    const next: EventDelivery | undefined = page.next === undefined ? undefined : { to: "workflows", after: page.next };
    await record(new Map([[eventId, effects]]), failures.length === 0 ? { next } : null);
    return next;
  }

  /** Returns how many waits each event has ended. */
  async function resume(
    events: readonly AppEventDocument[],
    runIds: readonly string[],
    failures: unknown[],
  ): Promise<readonly number[]> {
    const received = events.map(toReceived);
    const all = await Promise.allSettled(runIds.map((runId) => executor.receive(runId, received)));
    for (const one of all) if (one.status === "rejected") failures.push(one.reason);
    const resumed = all.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    return events.map((_, index) => resumed.reduce((sum, counts) => sum + (counts[index] ?? 0), 0));
  }

  async function startAll(
    event: AppEventDocument,
    workflows: readonly string[],
    failures: unknown[],
  ): Promise<Effects> {
    const runs_started: string[] = [];
    const problems: Effects["problems"][number][] = [];
    for (const workflowId of workflows) {
      try {
        const runId = await start(event, workflowId);
        if (runId !== null) runs_started.push(runId);
      } catch (error) {
        if (!isPermanent(error)) {
          failures.push(error);
          continue;
        }
        // The workflow or its app may have been deleted meanwhile, with thousands of events on their way.
        const isDeleted = isStepwellError(error, "not_found");
        const fields = { event: event.id, workflow: workflowId, error };
        logger[isDeleted ? "info" : "warn"]("could not start a workflow on an event", fields);
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

  /**
   * Stores what a page has caused, by event.
   * @param position What to consider next, nothing if the delivery is complete; null to keep it where it is stored.
   */
  async function record(
    effects: ReadonlyMap<string, Effects>,
    position: { readonly next: EventDelivery | undefined } | null,
  ): Promise<void> {
    const keys = [...effects.keys()].map(eventKey);
    // Another writer may delete or change one of them.
    const isRecorded = (changed: string) => keys.some((key) => key === changed);
    await retryOnConflict(isRecorded, async () => {
      const found = await store.getMany<AppEventDocument>(keys);
      const changes = found.flatMap((one) => {
        const caused = one === null ? undefined : effects.get(one.document.id);
        return one === null || caused === undefined ? [] : [recorded(one, caused, position)];
      });
      if (changes.length > 0) await store.commit(changes);
    });
  }

  function recorded(
    { document, version }: Stored<AppEventDocument>,
    effects: Effects,
    position: { readonly next: EventDelivery | undefined } | null,
  ): Change {
    const { delivery, delivered_at, ...event } = document;
    const next = position === null ? delivery : position.next;
    // What is considered again may be named already.
    const known = new Set(event.problems.map(({ workflow_id }) => workflow_id));
    const problems = effects.problems.filter(({ workflow_id }) => !known.has(workflow_id));
    const after: AppEventDocument = {
      ...event,
      delivered_at: next === undefined ? instant(clock.now()) : delivered_at,
      runs_resumed: event.runs_resumed + effects.runs_resumed,
      runs_started: [...new Set([...event.runs_started, ...effects.runs_started])].slice(0, MAX_NAMED),
      problems: [...event.problems, ...problems].slice(0, MAX_NAMED),
      ...omitUndefined({ delivery: next }),
    };
    return putEvent(after, version);
  }

  return { groups, toRuns, toWorkflows };
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
