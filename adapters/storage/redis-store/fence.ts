/**
 * One owner at a time, or many processes that share the store, but never both. Each begins a session before it reads anything,
 * and every script looks for it first (fenced.ts). Who takes the store over removes the sessions of the others, so a process
 * that was paused writes nothing afterwards. A lease keeps others out while the process lives.
 *
 * Every script also compares the number of commits with the last one that was acknowledged. A Redis that has lost
 * commits, after a failover or a restart with a shorter file, is noticed before anything is read from it or written.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { StepwellError } from "../../../src/errors.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { endedError, heldError, lostCommitsError, newerError, replacedError, sharedError } from "./fence-errors.ts";
import { FORMAT, OWNER_SCRIPTS, SHARED_SCRIPTS } from "./opening-scripts.ts";
import { itemsOf, type Script } from "./script.ts";

/** As for the lease of a folder. */
export const LEASE_MS = 10_000;
/** Renewals that may fail before the lease expires. */
const RENEWALS_PER_LEASE = 4;

export interface Fence {
  /** Takes the store over, or joins those who share it, once. @throws StepwellError `unavailable`; call it again then */
  take(): Promise<void>;
  /** First arguments of every script, as of now. */
  arguments(): readonly [session: string, commits: string];
  /** Key of the record of commits, behind the prefix. */
  readonly flushes: string;
  /**
   * Returns the items of an answer behind its first one, which says what happened.
   * @throws StepwellError `unavailable` if this process may not use the store anymore, now and from then on
   */
  check(answer: unknown): { readonly kind: string; readonly items: readonly unknown[] };
  /** Remembers the number of a commit that is about to be acknowledged. */
  acknowledge(seq: number): void;
  /** The error of every call after another process has taken over, or commits were lost. */
  readonly lost: StepwellError | null;
  /** Lets another process take over at once. */
  release(): Promise<void>;
}

export interface FenceParts {
  /** Runs a script until it is answered or the time limit is over. */
  readonly call: (action: string, script: Script, args: () => readonly (string | number)[]) => Promise<unknown>;
  /** Runs a script once. */
  readonly run: (script: Script, args: readonly (string | number)[]) => Promise<unknown>;
  /** Replaces a connection on which no answer arrives. */
  readonly reconnect: () => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly leaseMs: number;
  /** Whether other processes use the store at the same time. */
  readonly isShared: boolean;
  /** Called once when the store is lost. */
  readonly onLost: () => void;
}

export function createFence(parts: FenceParts): Fence {
  const { call, run, reconnect, clock, logger, leaseMs, isShared, onLost } = parts;
  const scripts = isShared ? SHARED_SCRIPTS : OWNER_SCRIPTS;
  const token = randomUUID();
  const holder = `${token} process ${process.pid} on ${hostname()}`;
  let generation = 0;
  /** The latest commit of this session that was acknowledged. */
  let acknowledged = 0;
  /** The latest commit of anybody that this process knows of. */
  let seen = 0;
  let lost: StepwellError | null = null;
  let cancelRenewal: () => void = () => undefined;
  let isReleased = false;

  const fenceArguments = () => [token, `${acknowledged} ${seen}`] as const;

  function lose(error: StepwellError): StepwellError {
    if (lost !== null) return lost;
    lost = error;
    cancelRenewal();
    if (!isReleased) logger.error(error.message);
    onLost();
    return error;
  }

  function check(answer: unknown) {
    const [kind, ...items] = itemsOf(answer);
    if (kind === "fenced") throw lose(endOf(Number(items[0])));
    if (kind === "behind") throw lose(lostCommitsError());
    return { kind: String(kind), items };
  }

  /** Why there is no session anymore, although there was one in this generation. */
  function endOf(current: number): StepwellError {
    if (current > generation) return replacedError(isShared);
    return isShared && current === generation ? endedError() : lostCommitsError();
  }

  function see(seq: number): void {
    seen = Math.max(seen, seq);
  }

  /** Also shows whether the connection works: a renewal without an answer replaces it. */
  function watch(): void {
    const interval = leaseMs / RENEWALS_PER_LEASE;
    cancelRenewal = clock.after(interval, () => {
      const cancelPatience = clock.after(interval, reconnect);
      void run(scripts.renew, [...fenceArguments(), holder, leaseMs])
        .then((answer) => see(Number(check(answer).items[0])))
        .catch(() => undefined)
        .then(() => {
          cancelPatience();
          if (lost === null && !isReleased) watch();
        });
    });
  }

  return {
    arguments: fenceArguments,
    check,

    get lost() {
      return lost;
    },

    flushes: isShared ? `flushes:${token}` : "flushes",

    acknowledge(seq) {
      acknowledged = Math.max(acknowledged, seq);
      see(seq);
    },

    async take() {
      const answer = itemsOf(await call("opening the store", scripts.take, () => [token, holder, leaseMs, FORMAT]));
      const [kind, value, seq] = answer.map(String);
      if (kind === "newer") throw newerError(value ?? "");
      if (kind === "held") throw heldError(value ?? "", isShared);
      if (kind === "shared") throw sharedError(value ?? "");
      generation = Number(value);
      acknowledged = Number(seq);
      see(acknowledged);
      if (!isReleased) watch();
    },

    async release() {
      isReleased = true;
      cancelRenewal();
      if (generation !== 0 && lost === null) await run(scripts.release, [...fenceArguments(), holder]).then(check);
    },
  };
}
