/**
 * Handles deliveries in the background: the record and the outcome of the delivery are stored in one commit, so that each
 * event is handled once, wherever a process ends. Deliveries of a trigger are handled in the order of their arrival, except
 * those that are retried. While the trigger is disabled, they are paused.
 *
 * In a cluster, one process handles all deliveries, and finds them in the list of those that are due: its order is that of
 * their arrival, wherever they arrived.
 */
import { NOT_NESTED } from "../../../calls/caller.ts";
import { rowIds } from "../../../documents/documents.ts";
import { isStepwellError, StepwellError } from "../../../errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Logger } from "../../../ports/logger.ts";
import type { Store, Stored } from "../../../ports/store.ts";
import { createDurableTimers } from "../../../time/durable-timers.ts";
import type { Duties } from "../../../time/duties.ts";
import { instant } from "../../../time/iso.ts";
import { MINUTE_MS, SECOND_MS } from "../../../time/units.ts";
import type { Records, RecordWriteOutcome } from "../../records/records.ts";
import type { Author } from "../../records/writer.ts";
import type { FindTrigger } from "../find-trigger.ts";
import type { TriggerStates } from "../trigger-state.ts";
import {
  type DeliveryDocument,
  type DeliveryStatus,
  DUE_LIST,
  deliveriesOf,
  deliveryChange,
  deliveryKey,
  statusMarks,
} from "./delivery.ts";
import { mapEvent } from "./map-event.ts";

export interface HandleDeliveries {
  /** Handles deliveries that have been stored, in this order. */
  handleSoon(triggerId: string, deliveryIds: readonly string[]): void;
  /** @throws StepwellError `too_many_requests` if too many deliveries wait */
  checkCapacity(): Promise<void>;
  /** Resumes the work of earlier processes. */
  start(): Promise<void>;
  /** Handles no more deliveries. Resolves when current ones have ended. */
  stop(): Promise<void>;
}

const MAX_ATTEMPTS = 8;
/** Pause after the first attempt. Each further pause is four times as long. */
const FIRST_PAUSE_MS = 4 * SECOND_MS;
const PAUSE_FACTOR = 4;
/**
 * How long a delivery of a disabled trigger rests, at least and at most: as long as it has been waiting. Enabling the trigger
 * resumes it at once; this is for a process that ended before it could.
 */
const PAUSED_MS = { min: MINUTE_MS, max: 10 * MINUTE_MS };
const PAUSED = { code: "disabled", message: "The trigger is disabled. Enable it to handle the event." };
const MAX_WAITING = 10_000;
/** Seconds after which a sender may repeat events that were refused because too many were pending. */
const RETRY_AFTER_SECONDS = "5";

interface Outcome {
  readonly status: DeliveryStatus;
  readonly record_id: string | null;
  readonly reason: DeliveryDocument["reason"];
}

export function createHandleDeliveries(parts: {
  store: Store;
  clock: Clock;
  logger: Logger;
  duties: Pick<Duties, "alarms" | "assign">;
  find: FindTrigger;
  records: Pick<Records, "create" | "upsert">;
  states: Pick<TriggerStates, "onResumed">;
}): HandleDeliveries {
  const { store, clock, logger, duties, find, records, states } = parts;
  /** The last delivery of each trigger that is being handled. */
  const last = new Map<string, Promise<void>>();
  let waiting = 0;
  /** Deliveries that wait for their turns, in a cluster. */
  const queued = new Set<string>();
  /** Number of deliveries that wait in all processes of a cluster, as of a moment. */
  let due = { total: 0, at: 0 };
  let isStopped = false;
  const isShared = duties.alarms !== undefined;

  const timers = createDurableTimers({
    ...{ store, clock, logger, alarms: duties.alarms, list: DUE_LIST, onDue: isShared ? queue : onDue },
    dueOf: async (id) => (await store.get<DeliveryDocument>(deliveryKey(id)))?.document.next_attempt_at ?? null,
  });
  const resumeSoon = duties.assign("paused-events", (triggerId) => {
    void inTurn(triggerId, async () => {
      // They are still due, if only after their pause.
      await resume(triggerId).catch((error) => {
        logger.warn("could not resume the events of a trigger; retrying soon", { trigger: triggerId, error });
      });
    });
  });
  states.onResumed(resumeSoon);

  /** Waits for the deliveries of the trigger that came earlier. `work` must not reject. */
  function inTurn(triggerId: string, work: () => Promise<void>): Promise<void> {
    const turn = (last.get(triggerId) ?? Promise.resolve()).then(work);
    last.set(triggerId, turn);
    return turn.then(() => {
      if (last.get(triggerId) === turn) last.delete(triggerId);
    });
  }

  function settledChange({ document, version }: Stored<DeliveryDocument>, outcome: Outcome) {
    const attempts = document.attempts + 1;
    const finished = { attempts, next_attempt_at: null, finished_at: instant(clock.now()) };
    return deliveryChange({ ...document, ...outcome, ...finished }, version);
  }

  const settle = (found: Stored<DeliveryDocument>, status: DeliveryStatus, code: string, message: string) =>
    store.commit([settledChange(found, { status, record_id: null, reason: { code, message } })]);

  async function pause({ document, version }: Stored<DeliveryDocument>): Promise<void> {
    const waited = clock.now() - Date.parse(document.received_at);
    const next_attempt_at = instant(clock.now() + Math.min(Math.max(waited, PAUSED_MS.min), PAUSED_MS.max));
    await store.commit([deliveryChange({ ...document, reason: PAUSED, next_attempt_at }, version)]);
    timers.set(next_attempt_at);
  }

  async function attempt(found: Stored<DeliveryDocument>): Promise<void> {
    const { trigger_id, event_id, data, milestone, folder } = found.document;
    const owner = await find(trigger_id);
    if (owner === null) return settle(found, "failed", "not_found", "The trigger or its collection was deleted.");
    if (!owner.trigger.enabled) return pause(found);
    const { app_id, collection_id } = owner.state.document;
    const at = { app_id, collection_id };
    const event = { id: event_id, data, milestone: milestone ?? undefined, folder: folder ?? undefined };
    const mapped = mapEvent(owner.trigger.config, event);
    if (mapped.kind === "filtered") return settle(found, "filtered", "filtered", mapped.message);
    if (mapped.kind === "refused") return settle(found, "failed", "invalid", mapped.message);
    const { reason } = mapped;
    const receipt = ({ id }: { readonly id: string }, status: RecordWriteOutcome) => [
      settledChange(found, { status, record_id: id, reason }),
    ];
    const author: Author = { type: "trigger", trigger_id, delivery_id: found.document.id };
    if (mapped.kind === "create") await records.create(at, mapped.input, receipt, { author, nesting: NOT_NESTED });
    else await records.upsert(at, mapped.input, receipt, { author, nesting: NOT_NESTED });
  }

  /** Takes a due delivery from the list, and does not wait until it is handled: other triggers come next. */
  async function queue(deliveryId: string): Promise<void> {
    const document = queued.has(deliveryId)
      ? undefined
      : (await store.get<DeliveryDocument>(deliveryKey(deliveryId)))?.document;
    if (document === undefined) return;
    queued.add(deliveryId);
    void inTurn(document.trigger_id, () => orRetry(() => onDue(deliveryId))).then(() => queued.delete(deliveryId));
  }

  /** Events that were refused elsewhere are not counted here, so a total that is a second old does no harm. */
  async function countWaiting(): Promise<number> {
    if (!isShared) return waiting;
    const now = clock.now();
    if (now - due.at < SECOND_MS) return due.total;
    const { total = 0 } = await store.list(DUE_LIST, { limit: 0, until: instant(now) });
    due = { total, at: now };
    return total;
  }

  /** The first paused delivery that is due after its trigger was enabled or deleted resumes all, to keep their order. */
  async function onDue(deliveryId: string): Promise<void> {
    const document = (await store.get<DeliveryDocument>(deliveryKey(deliveryId)))?.document;
    if (document === undefined || !isPaused(document)) return handle(deliveryId);
    const isDisabled = (await find(document.trigger_id))?.trigger.enabled === false;
    await (isDisabled ? handle(deliveryId) : resume(document.trigger_id));
  }

  /** Handles the paused deliveries of a trigger, oldest first. Rejects if the storage does not respond. */
  async function resume(triggerId: string): Promise<void> {
    for await (const id of rowIds(store, deliveriesOf(triggerId), { marks: statusMarks("pending") })) {
      if (isStopped) return;
      await handle(id, isPaused);
    }
  }

  /**
   * Called for stored deliveries and for due ones. Rejects if the storage does not respond.
   * @param isWanted Whether to handle a delivery although it is not due.
   */
  async function handle(deliveryId: string, isWanted = (_: DeliveryDocument) => false): Promise<void> {
    for (;;) {
      const found = await store.get<DeliveryDocument>(deliveryKey(deliveryId));
      const due = found?.document.next_attempt_at ?? null;
      if (found === null || due === null || isStopped) return;
      if (Date.parse(due) > clock.now() && !isWanted(found.document)) return timers.set(due);
      try {
        await attempt(found);
        return;
      } catch (error) {
        // Another call handled it: read it again.
        if (isStepwellError(error, "conflict") && error.key === deliveryKey(deliveryId)) continue;
        await recordFailure(found, error);
        return;
      }
    }
  }

  async function recordFailure(found: Stored<DeliveryDocument>, error: unknown): Promise<void> {
    if (isPermanent(error)) return settle(found, "failed", error.code, error.message);
    const attempts = found.document.attempts + 1;
    const reason = reasonOf(error);
    logger.warn("could not handle an event of a trigger", { delivery: found.document.id, attempts, error });
    if (attempts >= MAX_ATTEMPTS) return settle(found, "dead", reason.code, reason.message);
    const next_attempt_at = instant(clock.now() + FIRST_PAUSE_MS * PAUSE_FACTOR ** (attempts - 1));
    await store.commit([deliveryChange({ ...found.document, attempts, reason, next_attempt_at }, found.version)]);
    timers.set(next_attempt_at);
  }

  async function orRetry(work: () => Promise<void>): Promise<void> {
    if (isStopped) return;
    try {
      await work();
    } catch {
      // The delivery is still due, and the storage did not respond.
      timers.set(instant(clock.now() + FIRST_PAUSE_MS));
    }
  }

  return {
    handleSoon(triggerId, deliveryIds) {
      if (isShared) return timers.set(instant(clock.now()));
      for (const id of deliveryIds) {
        waiting++;
        void inTurn(triggerId, () => orRetry(() => handle(id))).then(() => {
          waiting--;
        });
      }
    },

    async checkCapacity() {
      if ((await countWaiting()) < MAX_WAITING) return;
      const headers = { "retry-after": RETRY_AFTER_SECONDS };
      const message = "Too many events are pending. Send these again later.";
      throw new StepwellError("too_many_requests", message, { headers });
    },

    start: timers.start,

    async stop() {
      isStopped = true;
      await Promise.all([timers.stop(), ...last.values()]);
    },
  };
}

const isPaused = ({ reason }: DeliveryDocument) => reason?.code === PAUSED.code;

/** Whether another attempt would fail, too, because the record cannot have these values. */
function isPermanent(error: unknown): error is StepwellError {
  return (
    isStepwellError(error, "invalid") || isStepwellError(error, "too_large") || isStepwellError(error, "not_found")
  );
}

/** Errors of other kinds may contain anything, so only the log has them. */
function reasonOf(error: unknown): { code: string; message: string } {
  if (!isStepwellError(error))
    return { code: "internal", message: "Handling the event failed. See the server log for the cause." };
  return { code: error.code, message: error.publicDetail ?? error.message };
}
