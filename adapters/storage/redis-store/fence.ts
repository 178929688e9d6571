/**
 * One owner at a time. An owner takes a generation before it reads anything, and every script compares it first, so a
 * process that was paused writes nothing after another one has taken over. A lease keeps others out while the owner lives.
 *
 * Every script also compares the number of commits with the last one that was acknowledged. A Redis that has lost
 * commits, after a failover or a restart with a shorter file, is noticed before anything is read from it or written.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { StepwellError } from "../../../src/errors.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { defineScript, itemsOf, type Script } from "./script.ts";

/** Version of the layout of keys and values. */
export const FORMAT = 1;
/** As for the lease of a folder. */
export const LEASE_MS = 10_000;
/** Renewals that may fail before the lease expires. */
const RENEWALS_PER_LEASE = 4;

/** Start of every script but the one that takes the store over. `p` is the prefix of all keys. */
export const FENCED = `
  local p = string.sub(KEYS[1], 1, -5)
  local state = redis.call("HMGET", KEYS[1], "owner", "seq")
  if state[1] ~= ARGV[1] then return {"fenced", redis.call("HGET", KEYS[1], "gen") or "0"} end
  if tonumber(state[2]) < tonumber(ARGV[2]) then return {"behind", state[2]} end
  local seq = tonumber(state[2])`;
/** Arguments that the start of a script uses. */
export const FENCE_ARGUMENTS = 2;

/** Repeating it with the same token changes nothing. */
const TAKE = defineScript(`
  local p = string.sub(KEYS[1], 1, -5)
  local token, holder, lease, format = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
  local state = redis.call("HMGET", KEYS[1], "format", "gen", "owner")
  if state[1] and tonumber(state[1]) > tonumber(format) then return {"newer", state[1]} end
  local held = redis.call("GET", p .. "lease")
  if held and held ~= holder then return {"held", held} end
  local gen = tonumber(state[2] or 0)
  if state[3] ~= gen .. ":" .. token then
    redis.call("HSET", KEYS[1], "format", format)
    gen = redis.call("HINCRBY", KEYS[1], "gen", 1)
    redis.call("HSET", KEYS[1], "owner", gen .. ":" .. token)
    redis.call("HSETNX", KEYS[1], "seq", 0)
    redis.call("UNLINK", p .. "flushes")
  end
  redis.call("SET", p .. "lease", holder, "PX", lease)
  return {"taken", tostring(gen), redis.call("HGET", KEYS[1], "seq")}`);

const RENEW = defineScript(`${FENCED}
  redis.call("SET", p .. "lease", ARGV[3], "PX", ARGV[4])
  return {"ok", tostring(seq)}`);

const RELEASE = defineScript(`${FENCED}
  redis.call("DEL", p .. "lease")
  return {"ok", tostring(seq)}`);

export interface Fence {
  /** Takes the store over, once. @throws StepwellError `unavailable`; call it again then */
  take(): Promise<void>;
  /** First arguments of every script, as of now. */
  arguments(): readonly [owner: string, acknowledged: number];
  /**
   * Returns the items of an answer behind its first one, which says what happened.
   * @throws StepwellError `unavailable` if this process does not own the store anymore, now and from then on
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
  /** Called once when the store is lost. */
  readonly onLost: () => void;
}

export function createFence({ call, run, reconnect, clock, logger, leaseMs, onLost }: FenceParts): Fence {
  const token = randomUUID();
  const holder = `${token} process ${process.pid} on ${hostname()}`;
  let owner = "";
  let generation = 0;
  let acknowledged = 0;
  let lost: StepwellError | null = null;
  let cancelRenewal: () => void = () => undefined;
  let isReleased = false;

  const fenceArguments = () => [owner, acknowledged] as const;

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
    if (kind === "fenced") throw lose(Number(items[0]) > generation ? replacedError() : lostCommitsError());
    if (kind === "behind") throw lose(lostCommitsError());
    return { kind: String(kind), items };
  }

  /** Also shows whether the connection works: a renewal without an answer replaces it. */
  function watch(): void {
    const interval = leaseMs / RENEWALS_PER_LEASE;
    cancelRenewal = clock.after(interval, () => {
      const cancelPatience = clock.after(interval, reconnect);
      void run(RENEW, [...fenceArguments(), holder, leaseMs])
        .then(check)
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

    acknowledge(seq) {
      acknowledged = Math.max(acknowledged, seq);
    },

    async take() {
      const answer = itemsOf(await call("opening the store", TAKE, () => [token, holder, leaseMs, FORMAT]));
      const [kind, value, seq] = answer.map(String);
      if (kind === "newer") throw newerError(value ?? "");
      if (kind === "held") throw heldError(value ?? "");
      generation = Number(value);
      owner = `${value}:${token}`;
      acknowledged = Number(seq);
      if (!isReleased) watch();
    },

    async release() {
      isReleased = true;
      cancelRenewal();
      if (owner !== "" && lost === null) await run(RELEASE, fenceArguments()).then(check);
    },
  };
}

function newerError(format: string): StepwellError {
  return new StepwellError(
    "unavailable",
    `A newer version of Stepwell has written this Redis store (format ${format}; this version reads up to ${FORMAT}). ` +
      "Use that version, or another prefix.",
  );
}

/** @param holder A token, and words that say which process it is. */
function heldError(holder: string): StepwellError {
  return new StepwellError(
    "unavailable",
    `The Redis store is in use by ${holder.slice(holder.indexOf(" ") + 1)}. Only one process can use it at a time: stop ` +
      "that one, or set another prefix. The store of a process that was killed is free after 10 seconds.",
  );
}

function replacedError(): StepwellError {
  return new StepwellError(
    "unavailable",
    "This process no longer owns its Redis store and has stopped reading and writing it, because another process took " +
      "it over. Stop the other process, and restart this one.",
  );
}

function lostCommitsError(): StepwellError {
  return new StepwellError(
    "unavailable",
    "Redis has lost commits that were acknowledged: it failed over to a replica, was restored, was emptied, or restarted " +
      "with a shorter append-only file. This process has stopped reading and writing its store. Restart it, so that it " +
      "reads what is left.",
  );
}
