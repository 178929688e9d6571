/**
 * Sends commits, many at a time, each as one script. A commit whose answer is lost with its connection is sent again with
 * its number, so that it takes effect once. One that is not answered within the time limit is rejected, and then revoked:
 * until Redis has confirmed that it has no effect, nothing else is read or written.
 *
 * If others share the store, they may have read it by then, and nothing can be revoked. So a commit that was sent is neither
 * resolved nor rejected until its outcome is known; only those that were not sent are rejected in time.
 */
import type { StepwellError } from "../../../../src/errors.ts";
import type { Clock } from "../../../../src/ports/clock.ts";
import { conflictError } from "../../../../src/storage/commits/conflict-error.ts";
import type { PreparedChanges } from "../../../../src/storage/commits/prepare-changes.ts";
import { createPause } from "../calls.ts";
import type { Fence } from "../fence.ts";
import { isRefusal, type RedisErrors } from "../redis-errors.ts";
import type { Script } from "../script.ts";
import { COMMIT, commitArguments, REVOKE } from "./commit-script.ts";

/** Commits that are on their way at the same time. Each slot also keeps what its last commit replaced, in Redis. */
const SLOTS = 64;
const ACTION = "committing";

interface Pending {
  readonly changes: PreparedChanges;
  readonly arguments: readonly (string | number)[];
  readonly number: number;
  /** Set while it is on its way. */
  slot: number | null;
  /** Whether the caller was answered. */
  isSettled: boolean;
  settle(error: StepwellError | null): void;
}

export interface Commits {
  /** @throws StepwellError `internal` for rows that cannot be stored */
  commit(changes: PreparedChanges): Promise<void>;
  readonly isFailing: boolean;
  /** Whether a commit may have taken effect that was not answered yet. */
  readonly hasUnknown: boolean;
  /** Resolves when no commit is unknown anymore. */
  known(): Promise<void>;
  /** Resolves when no commit is on its way or waits. */
  idle(): Promise<void>;
  /** Rejects everything that waits or is on its way. */
  abandon(error: StepwellError): void;
}

export interface CommitParts {
  readonly run: (script: Script, args: readonly (string | number)[]) => Promise<unknown>;
  readonly fence: Fence;
  readonly errors: RedisErrors;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Whether other processes use the store at the same time. */
  readonly isShared: boolean;
}

export function createCommits({ run, fence, errors, clock, timeoutMs, isShared }: CommitParts): Commits {
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot).reverse();
  const waiting: Pending[] = [];
  const onTheirWay = new Set<Pending>();
  /** Those whose answer was lost or is late. */
  const unknown = new Set<Pending>();
  /** Those that were rejected although they may have taken effect. */
  const revoking = new Set<Pending>();
  let listeners: (() => void)[] = [];
  let lastNumber = 0;
  let isFailing = false;
  let abandoned: StepwellError | null = null;

  /** Tells callers that wait until the outcome of a commit is known. */
  function changed(): void {
    const told = listeners;
    listeners = [];
    for (const listener of told) listener();
  }

  async function waitUntil(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => listeners.push(resolve));
  }

  function sendWaiting(): void {
    while (waiting.length > 0 && slots.length > 0 && revoking.size === 0) {
      const next = waiting.shift();
      if (next === undefined) continue;
      next.slot = slots.pop() ?? 0;
      onTheirWay.add(next);
      void send(next).finally(() => {
        if (!revoking.has(next)) finish(next);
      });
    }
  }

  /** The commit has its final outcome, and its slot is free. */
  function finish(pending: Pending): void {
    if (!onTheirWay.delete(pending)) return;
    unknown.delete(pending);
    revoking.delete(pending);
    if (pending.slot !== null) slots.push(pending.slot);
    changed();
    sendWaiting();
  }

  const argumentsOf = (pending: Pending) => [
    ...fence.arguments(),
    pending.number,
    pending.slot ?? 0,
    fence.flushes,
    ...pending.arguments,
  ];

  /** If nothing is rejected in time, an attempt that hangs must not hold up the next one. */
  function attempt(pending: Pending): Promise<unknown> {
    const answer = run(COMMIT, argumentsOf(pending));
    if (!isShared) return answer;
    return new Promise((resolve, reject) => {
      const cancel = clock.after(timeoutMs, () => reject(errors.late(ACTION, timeoutMs, null)));
      answer.then(resolve, reject).finally(cancel);
    });
  }

  async function send(pending: Pending): Promise<void> {
    const pause = createPause(clock);
    while (!pending.isSettled) {
      try {
        return onAnswer(pending, await attempt(pending));
      } catch (error) {
        if (fence.lost !== null) return pending.settle(fence.lost);
        // Refused before it was unknown: it has no effect.
        if (isRefusal(error) && !unknown.has(pending)) return pending.settle(errors.failed(ACTION, error));
        unknown.add(pending);
      }
      await pause();
    }
  }

  function onAnswer(pending: Pending, answer: unknown): void {
    const { kind, items } = fence.check(answer);
    const [first, second] = items.map(String);
    const expectation = kind === "conflict" ? pending.changes.expectations[Number(first)] : undefined;
    if (pending.isSettled) return;
    if (kind === "applied") {
      fence.acknowledge(Number(first));
      pending.settle(null);
    } else if (expectation === undefined) {
      pending.settle(errors.failed(ACTION, new Error(`The script answered "${kind}".`)));
    } else {
      pending.settle(conflictError(expectation.key, expectation.expected, second ? Number(second) : null));
    }
  }

  /** Repeats until Redis has confirmed it. An attempt without an answer doesn't hold up the next one. */
  async function revoke(pending: Pending): Promise<void> {
    const pause = createPause(clock);
    while (fence.lost === null && abandoned === null) {
      const late = new Promise<null>((resolve) => clock.after(timeoutMs, () => resolve(null)));
      const answer = await Promise.race([run(REVOKE, argumentsOf(pending)).catch(() => null), late]);
      if (answer !== null) {
        const { items } = fence.check(answer);
        return fence.acknowledge(Number(items[0]));
      }
      await pause();
    }
  }

  function onTimeout(pending: Pending): void {
    if (isShared && pending.slot !== null) {
      unknown.add(pending);
      isFailing = true;
      return;
    }
    if (pending.slot !== null) {
      unknown.add(pending);
      revoking.add(pending);
      void revoke(pending)
        .catch(() => undefined)
        .then(() => finish(pending));
    } else {
      waiting.splice(waiting.indexOf(pending), 1);
    }
    pending.settle(errors.late(ACTION, timeoutMs, null));
  }

  return {
    get isFailing() {
      return isFailing;
    },

    get hasUnknown() {
      return unknown.size > 0;
    },

    commit(changes) {
      if (abandoned !== null) return Promise.reject(abandoned);
      const args = commitArguments(changes);
      return new Promise((resolve, reject) => {
        const cancel = clock.after(timeoutMs, () => onTimeout(pending));
        const pending: Pending = {
          changes,
          arguments: args,
          number: ++lastNumber,
          slot: null,
          isSettled: false,
          settle(error) {
            if (pending.isSettled) return;
            pending.isSettled = true;
            cancel();
            isFailing = error !== null && error.code !== "conflict";
            if (error === null) resolve();
            else reject(error);
          },
        };
        waiting.push(pending);
        sendWaiting();
      });
    },

    known: () => waitUntil(() => unknown.size === 0),
    idle: () => waitUntil(() => onTheirWay.size === 0 && waiting.length === 0),

    abandon(error) {
      abandoned ??= error;
      for (const pending of [...waiting.splice(0), ...onTheirWay]) pending.settle(error);
      for (const pending of [...onTheirWay]) finish(pending);
      unknown.clear();
      revoking.clear();
      changed();
    },
  };
}
