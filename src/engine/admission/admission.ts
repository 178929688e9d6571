/**
 * Decides whether a run may begin: first its time (`run_at`, debounce), then the concurrency limit, then the rate limit of its
 * workflow. A decision and the commit that stores it are not interrupted by another decision about the same key.
 */
import { isStepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import { createSerialQueues } from "../../queues/serial-queues.ts";
import { instant } from "../../time/iso.ts";
import type { RunDocument } from "../state/run-document.ts";
import { nextHeld, overtakenRuns, placeOf } from "./concurrency-limit.ts";
import { takeTurn } from "./rate-limit.ts";
import { heldBack, waitingForTurn, waitingUntil, withConcurrency } from "./run-admission.ts";

/** What becomes of a run, to be committed. */
export type Decision =
  /** It begins as soon as it has a slot. */
  | { readonly kind: "begins"; readonly document: RunDocument; readonly changes: readonly Change[] }
  /** It waits for a time, or is held back by other runs. */
  | { readonly kind: "waits"; readonly document: RunDocument; readonly changes: readonly Change[] }
  /** Another open run takes its place. Only for a new run. */
  | { readonly kind: "skipped"; readonly by: string };

/** Commits a decision. */
export type Act<T> = (decision: Decision) => Promise<T>;

export interface Admission {
  /**
   * Decides about a run that has its files.
   * @throws StepwellError `too_many_requests` for a new run beyond the concurrency limit
   */
  decide<T>(document: RunDocument, act: Act<T>): Promise<T>;
  /** Decides about each run that a concurrency key holds back and that may begin now. */
  admitHeld(
    workflowId: string,
    key: string,
    act: (found: Stored<RunDocument>, decision: Decision) => Promise<void>,
  ): Promise<void>;
}

export function createAdmission(parts: {
  store: Store;
  clock: Clock;
  /** Maximum number of runs that are held back by one key. */
  maxQueued: number;
  /** Called for runs that a newer one overtakes. */
  onOvertaken(runId: string): void;
}): Admission {
  const { store, clock, maxQueued, onOvertaken } = parts;
  const queues = createSerialQueues();

  function decide<T>(document: RunDocument, act: Act<T>): Promise<T> {
    const { begins_at, ...due } = document;
    const { concurrency } = document;
    if (begins_at !== undefined && Date.parse(begins_at) > clock.now()) {
      return act({ kind: "waits", document: waitingUntil(document, begins_at), changes: [] });
    }
    if (concurrency?.state !== "undecided") return passRateLimit(due, act);
    return queues.run(concurrency.key, async () => {
      const place = await placeOf(store, document, concurrency, maxQueued);
      if (place.kind === "skipped") return act(place);
      const placed = withConcurrency(due, concurrency, place.kind, instant(clock.now()));
      if (place.kind !== "queued") return passRateLimit(placed, act);
      const result = await act({ kind: "waits", document: heldBack(placed), changes: [] });
      if (concurrency.strategy === "cancel_oldest")
        for (const id of await overtakenRuns(store, document, concurrency, document.id)) onOvertaken(id);
      return result;
    });
  }

  function passRateLimit<T>(document: RunDocument, act: Act<T>): Promise<T> {
    const { admission, ...passed } = document;
    const rate_limit = admission?.rate_limit;
    if (rate_limit === undefined) return act({ kind: "begins", document: passed, changes: [] });
    return queues.run(rate_limit.key, async () => {
      for (;;) {
        const { turn, at, change } = await takeTurn(store, rate_limit, document.app_id, clock.now());
        const changes = [change];
        const waits = at > clock.now();
        try {
          return await act(
            waits
              ? { kind: "waits", document: waitingForTurn(passed, { ...rate_limit, turn }, at), changes }
              : { kind: "begins", document: passed, changes },
          );
        } catch (error) {
          // The sweep has just deleted the time of a key that was not used for a while.
          if (!isStepwellError(error, "conflict") || error.key !== change.key) throw error;
        }
      }
    });
  }

  return {
    decide,
    admitHeld: (workflowId, key, act) =>
      queues.run(key, async () => {
        for (;;) {
          const held = await nextHeld(store, workflowId, key);
          if (held === null) return;
          const counted: RunDocument = { ...held.document, concurrency: { ...held.concurrency, state: "counted" } };
          await passRateLimit(counted, (decision) => act(held, decision));
        }
      }),
  };
}
