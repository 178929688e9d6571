/**
 * Polls the sources of triggers. The deliveries of the events that a poll found, its cursor and the time of the next poll are
 * stored in one commit, so that no event is skipped, wherever a process ends. Repeats are recognized by their ids.
 */
import { updateDocument } from "../../documents/documents.ts";
import { isStepwellError, StepwellError } from "../../errors.ts";
import { jsonProblem, minJsonLength } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Store } from "../../ports/store.ts";
import { createFairQueue } from "../../queues/fair-queue.ts";
import { createFairShare } from "../../queues/fair-share.ts";
import { createDurableTimers } from "../../time/durable-timers.ts";
import type { Duties } from "../../time/duties.ts";
import { instant } from "../../time/iso.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../time/units.ts";
import { unlessAborted } from "../../time/unless-aborted.ts";
import { type ContextOfTrigger, checkedEvents, refusingIssues } from "./call-type.ts";
import { isDeliveryKey } from "./deliveries/delivery.ts";
import type { StoreEvents } from "./deliveries/store-events.ts";
import type { FindTrigger, FoundTrigger } from "./find-trigger.ts";
import { DEFAULT_INTERVAL_SECONDS } from "./trigger.ts";
import {
  isTriggerKey,
  POLL_LIST,
  type PollState,
  stateChange,
  type TriggerState,
  type TriggerStates,
  triggerKey,
} from "./trigger-state.ts";
import { type AnyTriggerType, type PollResult, pollsWith } from "./trigger-type.ts";
import type { TriggerTypes } from "./trigger-types.ts";

export interface PollTriggers {
  /** Resumes the work of earlier processes. */
  start(): Promise<void>;
  /** Aborts polls in progress and discards their results. Resolves when they have ended. */
  stop(): Promise<void>;
}

const MAX_EVENTS = 1_000;
/** Maximum characters of a cursor as JSON. */
const MAX_CURSOR_CHARS = 64 * 1024;
const TIMEOUT_MS = MINUTE_MS;
/** Maximum number of concurrent polls of all triggers. The triggers of one app get half of them. */
const MAX_POLLS = 40;
/** The longest pause after failures, unless the interval is longer. */
const LONGEST_PAUSE_MS = HOUR_MS;
/** The pause after a poll that found nothing but announces more, as a source may that skips much. */
const NOTHING_FOUND_PAUSE_MS = SECOND_MS;
/** The pause if a result could not be stored. */
const STORAGE_PAUSE_MS = 10 * SECOND_MS;

const NEVER_POLLED: PollState = { cursor: null, next_at: null, polled_at: null, failures: 0, error: null };

export function createPollTriggers(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  duties: Pick<Duties, "alarms">;
  types: TriggerTypes;
  states: Pick<TriggerStates, "onPollDue">;
  find: FindTrigger;
  contextOf: ContextOfTrigger;
  storeEvents: StoreEvents;
}): PollTriggers {
  const { store, clock, logger, types, states, find, contextOf, storeEvents } = parts;
  const running = new Map<string, Promise<void>>();
  /** Triggers with a poll that is due. Apps take turns, so sources that hang delay only those of the same app. */
  const waiting = createFairQueue<string>();
  /** Apps of the triggers that wait. */
  const appOf = new Map<string, string>();
  const share = createFairShare(MAX_POLLS);
  const stopping = new AbortController();

  const timers = createDurableTimers({
    ...{ store, clock, logger, alarms: parts.duties.alarms, list: POLL_LIST, onDue },
    dueOf: async (id) => (await store.get<TriggerState>(triggerKey(id)))?.document.poll?.next_at ?? null,
  });
  states.onPollDue(() => timers.set(instant(clock.now())));

  /** Starts a poll soon, unless one of the trigger is in progress. That one sets the time of the next poll. */
  async function onDue(triggerId: string): Promise<void> {
    const found = await store.get<TriggerState>(triggerKey(triggerId));
    if (found === null || running.has(triggerId)) return;
    appOf.set(triggerId, found.document.app_id);
    waiting.add(found.document.app_id, triggerId);
    beginPolls();
  }

  function beginPolls(): void {
    while (!stopping.signal.aborted) {
      const triggerId = waiting.take(undefined, share.mayTake);
      if (triggerId === undefined) return;
      begin(triggerId, appOf.get(triggerId) ?? "");
      appOf.delete(triggerId);
    }
  }

  function begin(triggerId: string, appId: string): void {
    if (running.has(triggerId)) return;
    share.take(appId);
    const polling = pollOrRetry(triggerId).finally(() => {
      share.release(appId);
      running.delete(triggerId);
      beginPolls();
    });
    running.set(triggerId, polling);
  }

  async function pollOrRetry(triggerId: string): Promise<void> {
    try {
      const next = await poll(triggerId);
      if (next !== null) timers.set(next);
    } catch (error) {
      if (stopping.signal.aborted) return;
      // The trigger was changed meanwhile, or the storage failed: the poll is still due.
      const isChanged = isStepwellError(error, "conflict") && isTriggerKey(error.key);
      if (!isChanged) logger.warn("could not store a poll of a trigger; retrying soon", { trigger: triggerId, error });
      timers.set(instant(clock.now() + (isChanged ? 0 : STORAGE_PAUSE_MS)));
    }
  }

  /** Returns the time of the next poll; null if there is none. */
  async function poll(triggerId: string): Promise<string | null> {
    const found = await find(triggerId);
    const type = found === null ? "" : types.find(found.trigger.type);
    if (found === null || typeof type === "string" || !found.trigger.enabled) return rest(triggerId);
    if (!pollsWith(type, found.trigger.connection_id)) return rest(triggerId);
    const before = found.state.document.poll ?? NEVER_POLLED;
    if (before.next_at === null || Date.parse(before.next_at) > clock.now()) return before.next_at;
    try {
      return await storeResult(found, await ask(found, type, before));
    } catch (error) {
      if (stopping.signal.aborted || isOfStorage(error)) throw error;
      return await storeFailure(found, before, error);
    }
  }

  async function ask(found: FoundTrigger, type: AnyTriggerType, { cursor }: PollState): Promise<PollResult> {
    const late = new AbortController();
    const disarm = clock.after(TIMEOUT_MS, () =>
      late.abort(new StepwellError("fetch_failed", `The poll took longer than ${TIMEOUT_MS / SECOND_MS} seconds.`)),
    );
    const signal = AbortSignal.any([late.signal, stopping.signal]);
    try {
      const context = await contextOf(found, type, signal);
      const polled = refusingIssues(async () => type.poll?.({ ...context, cursor }) ?? { events: [], cursor });
      const result = await unlessAborted(polled, signal);
      const count = Array.isArray(result.events) ? result.events.length : 0;
      if (count > MAX_EVENTS) {
        throw new StepwellError(
          "too_large",
          `The poll returned ${count} events, more than the limit of ${MAX_EVENTS}.`,
        );
      }
      const events = checkedEvents(type.name, result.events, MAX_EVENTS);
      const problem = jsonProblem(result.cursor ?? null);
      if (problem !== null || minJsonLength(result.cursor ?? null, MAX_CURSOR_CHARS) > MAX_CURSOR_CHARS) {
        throw new TypeError(
          `The trigger type ${JSON.stringify(type.name)} returned a cursor that is too large or not JSON.`,
        );
      }
      return { ...result, events };
    } finally {
      disarm();
    }
  }

  async function storeResult(
    found: FoundTrigger,
    { events, cursor = null, more = false }: PollResult,
  ): Promise<string> {
    const now = clock.now();
    const pause = events.length > 0 ? 0 : NOTHING_FOUND_PAUSE_MS;
    const next_at = instant(now + (more ? pause : intervalOf(found)));
    const after: PollState = { cursor, next_at, polled_at: instant(now), failures: 0, error: null };
    const { document, version } = found.state;
    for (;;) {
      try {
        await storeEvents(found, events, [stateChange({ ...document, poll: after }, version)]);
        return next_at;
      } catch (error) {
        // One of the events is being handled, or was received at the same time.
        if (!isStepwellError(error, "conflict") || !isDeliveryKey(error.key)) throw error;
      }
    }
  }

  async function storeFailure(found: FoundTrigger, before: PollState, cause: unknown): Promise<string> {
    const failures = before.failures + 1;
    const interval = intervalOf(found);
    const pause = Math.max(interval, Math.min(interval * 2 ** Math.min(failures, 20), LONGEST_PAUSE_MS));
    const next_at = instant(clock.now() + pause);
    const { document, version } = found.state;
    logger.warn("a poll of a trigger failed", { trigger: document.id, failures, error: cause });
    const after = { ...before, next_at, polled_at: instant(clock.now()), failures, error: errorOf(cause) };
    await store.commit([stateChange({ ...document, poll: after }, version)]);
    return next_at;
  }

  /** Handles a trigger whose collection or type does not exist. Checks again later, because both can come back. */
  async function rest(triggerId: string): Promise<string | null> {
    const next_at = instant(clock.now() + LONGEST_PAUSE_MS);
    return updateDocument<TriggerState, string | null>(store, triggerKey(triggerId), (found) => {
      const before = found?.document.poll ?? null;
      if (found === null || before === null) return { changes: [], result: null };
      const change = stateChange({ ...found.document, poll: { ...before, next_at } }, found.version);
      return { changes: [change], result: next_at };
    });
  }

  return {
    start: timers.start,
    async stop() {
      stopping.abort(new StepwellError("unavailable", "The service is closing."));
      await Promise.all([timers.stop(), ...running.values()]);
    },
  };
}

const intervalOf = ({ trigger }: FoundTrigger) => (trigger.config.interval ?? DEFAULT_INTERVAL_SECONDS) * SECOND_MS;

/** Whether the result could not be stored, so that the poll stays due. */
function isOfStorage(error: unknown): boolean {
  return isStepwellError(error, "unavailable") || (isStepwellError(error, "conflict") && isTriggerKey(error.key));
}

/** Errors of other kinds may contain anything, so only the log has them. */
function errorOf(error: unknown): { code: string; message: string } {
  if (!isStepwellError(error))
    return { code: "internal", message: "The poll failed. See the server log for the cause." };
  return { code: error.code, message: error.publicDetail ?? error.message };
}
