/** Looks whether Redis can carry the queue, before jobs are added to it or taken from it. */
import { StepwellError } from "../../src/errors.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Client } from "./clients.ts";
import type { ConnectionLog } from "./connection-log.ts";
import { checkInfo, EVICTS, type ServerFacts, settingsProblem, withoutInfo } from "./settings-problems.ts";

/** Needs the rights that the scripts of BullMQ need. Nothing has this key. */
const SCRIPT = 'return redis.call("del", KEYS[1])';

export interface ServerCheck {
  /**
   * Looks, unless the server has passed already.
   * @throws StepwellError `unavailable` if only other settings help, or the error of the connection
   */
  pass(): Promise<ServerFacts>;
  /** Resolves when the server has passed for the first time. */
  readonly passed: Promise<ServerFacts>;
  /** What must be changed, or null. */
  problem(): string | null;
  stop(): void;
}

/** @param retryMs Milliseconds after which it looks again when the settings were wrong. */
export function createServerCheck(parts: {
  client: Client;
  clock: Clock;
  log: ConnectionLog;
  retryMs: number;
}): ServerCheck {
  const { client, clock, log, retryMs } = parts;
  let facts: ServerFacts | null = null;
  let looking: Promise<ServerFacts> | null = null;
  let cancel: (() => void) | null = null;
  let isStopped = false;
  let onPassed = (_: ServerFacts) => {};
  const passed = new Promise<ServerFacts>((resolve) => {
    onPassed = resolve;
  });

  async function ask(): Promise<ServerFacts> {
    const place = log.place();
    // ioredis ignores that the server has no such database, and uses the first one.
    if (place.database > 0) await client.call("SELECT", String(place.database));
    const found = await client.info().then(checked, withoutRight);
    await client.eval(SCRIPT, 1, `{${place.prefix}}:check`);
    return found;
  }

  function checked(info: string): ServerFacts {
    try {
      return checkInfo(info);
    } catch (error) {
      throw refusal(error instanceof Error ? error.message : String(error));
    }
  }

  function withoutRight(error: unknown): ServerFacts {
    if (error instanceof Error && error.message.startsWith("NOPERM")) return { hasInfo: false, evicts: false };
    throw error;
  }

  const refusal = (reason: string) => new StepwellError("unavailable", log.misconfigured(reason));

  async function look(): Promise<ServerFacts> {
    try {
      const found = await ask();
      log.configured();
      if (!found.hasInfo) log.advise(withoutInfo(log.place()));
      if (found.evicts) log.advise(EVICTS);
      facts = found;
      onPassed(found);
      return found;
    } catch (thrown) {
      const error = log.causeOf(thrown);
      facts = null;
      const reason = settingsProblem(error, log.place());
      if (reason !== null || error instanceof StepwellError) lookLater();
      throw reason === null ? error : refusal(reason);
    }
  }

  function lookLater(): void {
    cancel?.();
    if (isStopped) return;
    cancel = clock.after(retryMs, () => {
      if (client.status === "ready") lookAgain();
    });
  }

  function start(): Promise<ServerFacts> {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  }

  // What has failed is logged, or the connection is lost, and the next one calls this.
  const lookAgain = () => void start().catch(() => undefined);
  client.on("ready", lookAgain);

  return {
    passed,
    pass: async () => facts ?? (await start()),
    problem: log.problem,
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}
