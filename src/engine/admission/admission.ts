/**
 * Decides whether a run may begin: first its time (`run_at`, debounce), then the concurrency limit, then the rate limit of its
 * workflow. Within `withKeys`, no other decision is made about the same keys until the caller has stored this one.
 */
import { retryOnConflict } from "../../documents/retry-on-conflict.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, Store, Stored } from "../../ports/store.ts";
import { createSerialQueues } from "../../queues/serial-queues.ts";
import { instant } from "../../time/iso.ts";
import { asNotBegun, type RunDocument } from "../state/run-document.ts";
import type { RunConcurrency } from "../state/stored-admission.ts";
import { nextHeld, overtakenRuns, placeOf, replacementOf } from "./concurrency-limit.ts";
import type { DecisionLock } from "./decision-lock.ts";
import { rateLimitKey, takeStart } from "./rate-limit.ts";
import { waitingForStart, withConcurrency } from "./run-admission.ts";

/** What becomes of a run. */
export interface Decision {
  /** `begins`: as soon as it has a slot. `waits`: for its time, or for other runs. */
  readonly kind: "begins" | "waits";
  readonly document: RunDocument;
  /** To be committed with the document. */
  readonly changes: readonly Change[];
}

/** What becomes of a new run. */
export type NewDecision =
  | Decision
  /** It is not stored: another open run takes its place. */
  | { readonly kind: "skipped"; readonly by: string };

export interface Admission {
  /**
   * Calls `act`, which decides about the run and stores that, while nothing else decides about its keys. Calls it again if
   * another process has changed what the decision was based on.
   */
  withKeys<T>(document: RunDocument, act: () => Promise<T>): Promise<T>;
  /**
   * Decides about a run that is not stored yet, and has its files.
   * @throws StepwellError `too_many_requests` if it exceeds the concurrency limit
   */
  decideNew(document: RunDocument): Promise<NewDecision>;
  /** Decides about a stored run that has its files. It is never refused. */
  decideStored(document: RunDocument): Promise<Decision>;
  /**
   * Lets the runs begin that a concurrency key holds back and that may begin now.
   * @param begin Decides about a run, and stores that. Does nothing if it has changed.
   */
  admitHeld(
    workflowId: string,
    key: string,
    begin: (held: Stored<RunDocument>, next: RunDocument) => Promise<void>,
  ): Promise<void>;
  /**
   * Has the runs canceled that newer ones with this run's concurrency key overtake, if that is its strategy.
   * @param newest Overtakes the others, also if they entered at the same time.
   */
  cancelOvertaken(document: RunDocument, newest?: string): Promise<void>;
}

export function createAdmission(parts: {
  store: Store;
  clock: Clock;
  /** Maximum number of runs that are held back by one key. */
  maxQueued: number;
  lock: DecisionLock;
  /** Called for runs that a newer one overtakes. */
  onOvertaken(runId: string): void;
}): Admission {
  const { store, clock, maxQueued, lock, onOvertaken } = parts;
  const queues = createSerialQueues();

  async function cancelOvertaken(document: RunDocument, newest?: string): Promise<void> {
    const { concurrency } = document;
    if (concurrency?.strategy !== "cancel_oldest") return;
    for (const id of await overtakenRuns(store, document, concurrency, newest)) onOvertaken(id);
  }

  function withRateLimit<T>({ admission }: RunDocument, act: () => Promise<T>): Promise<T> {
    const rateLimit = admission?.rate_limit;
    if (rateLimit === undefined) return act();
    // The sweep may just have deleted the starts of a key that was not used for a while.
    const isSwept = (key: string) => key === rateLimitKey(rateLimit);
    return queues.run(rateLimit.key, () => retryOnConflict(isSwept, act));
  }

  async function passRateLimit(document: RunDocument): Promise<Decision> {
    const { admission, ...passed } = document;
    const rateLimit = admission?.rate_limit;
    if (rateLimit === undefined) return { kind: "begins", document: passed, changes: [] };
    const now = clock.now();
    const { planned, at, change } = await takeStart(store, rateLimit, document.app_id, now);
    const { key, limit, period_ms } = rateLimit;
    const begun = { ...passed, rate_limit: { key, limit, period_ms } };
    if (at <= now) return { kind: "begins", document: begun, changes: [change] };
    return { kind: "waits", document: waitingForStart(passed, { ...rateLimit, planned }, at), changes: [change] };
  }

  /** @param replacement Returns the run that takes the place of one that would be queued. */
  async function decide<Other>(
    document: RunDocument,
    replacement: (concurrency: RunConcurrency) => Promise<Other | null>,
  ): Promise<Decision | Other> {
    const { begins_at, concurrency } = document;
    if (begins_at !== undefined) {
      return { kind: "waits", document: asNotBegun(document, "waiting", begins_at), changes: [] };
    }
    if (concurrency?.state !== "undecided") return passRateLimit(document);
    const locking = await lock.take(concurrency.key, document.app_id);
    const place = await placeOf(store, document, concurrency);
    const placed = withConcurrency(document, concurrency, place, instant(clock.now()));
    if (place !== "queued") return withChanges(await passRateLimit(placed), locking);
    const queued: Decision = { kind: "waits", document: asNotBegun(placed, "queued"), changes: locking };
    return (await replacement(concurrency)) ?? queued;
  }

  return {
    cancelOvertaken,

    withKeys(document, act) {
      const { begins_at, concurrency } = document;
      if (begins_at !== undefined) return act();
      if (concurrency?.state !== "undecided") return withRateLimit(document, act);
      return queues.run(concurrency.key, async () => {
        const result = await lock.run(concurrency.key, () => withRateLimit(document, act));
        await cancelOvertaken(document, document.id);
        return result;
      });
    },

    decideNew: (document) => decide(document, (concurrency) => replacementOf(store, document, concurrency, maxQueued)),
    decideStored: (document) => decide<never>(document, async () => null),

    admitHeld: (workflowId, key, begin) =>
      queues.run(key, async () => {
        for (;;) {
          const held = await nextHeld(store, workflowId, key);
          if (held === null) return;
          await begin(held, { ...held.document, concurrency: { ...held.concurrency, state: "counted" } });
        }
      }),
  };
}

const withChanges = (decision: Decision, more: readonly Change[]): Decision =>
  more.length === 0 ? decision : { ...decision, changes: [...decision.changes, ...more] };
