/** The connection of a store: its own client of `ioredis`, or one that it was given. */
import type { Redis } from "ioredis";
import { StepwellError } from "../../../src/errors.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { createCauses, loadIoredis } from "../load-ioredis.ts";
import { commandsOf, type RedisArgument, type RedisClient, type RedisCommands } from "../redis-client.ts";
import { limitHandshake } from "../redis-handshake.ts";
import { addressOf } from "../redis-url.ts";
import { runScript, type Script } from "./script.ts";

export interface RedisConnection {
  run(script: Script, args: readonly RedisArgument[]): Promise<unknown>;
  info(): Promise<string>;
  /** Host and port, or the path of a socket, without credentials. Empty for a given client. */
  readonly address: string;
  /** Replaces a connection on which nothing arrives anymore. A given client stays as it is. */
  reconnect(): void;
  /** Closes the connection. A given client stays open. */
  close(): void;
}

/** Pauses between attempts to connect, in milliseconds. */
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1_000;

/** @param key Key of the store's state, which all scripts get. */
export function createConnection(
  given: { url: string } | { client: RedisClient },
  key: string,
  clock: Pick<Clock, "after"> = systemClock,
): RedisConnection {
  const own = "url" in given ? createOwnClient(given.url, clock) : null;
  const shared = "client" in given ? commandsOf(given.client) : null;
  const commands = async () => shared ?? (await own?.commands()) ?? Promise.reject(new Error("There is no client."));

  async function withCause<T>(act: (commands: RedisCommands) => Promise<T>): Promise<T> {
    try {
      return await act(await commands());
    } catch (error) {
      throw own === null ? error : own.throwCause(error);
    }
  }

  return {
    address: "url" in given ? addressOf(given.url) : "",
    run: (script, args) => withCause((commands) => runScript(commands, script, key, args)),
    info: () =>
      withCause(async (commands) => {
        // ioredis ignores that the server has no such database, and uses the first one.
        if (own?.database != null) await commands.text("SELECT", [own.database]);
        return String(await commands.text("INFO", []));
      }),
    reconnect: () => own?.reconnect(),
    close: () => own?.close(),
  };
}

function createOwnClient(url: string, clock: Pick<Clock, "after">) {
  let connecting: Promise<{ readonly client: Redis; readonly commands: RedisCommands }> | null = null;
  let isClosed = false;
  let causeOf = (error: unknown): never => {
    throw error;
  };

  async function connect() {
    const { Redis } = await loadIoredis("The redis store").catch((error: Error) => {
      // Waiting would not help.
      throw new StepwellError("unavailable", error.message, { cause: error });
    });
    const client = new Redis(url, {
      // Commands of a lost connection are rejected soon; the store repeats them itself until its time limit.
      maxRetriesPerRequest: 1,
      retryStrategy: (attempt) => Math.min(attempt * FIRST_RETRY_MS, LAST_RETRY_MS),
    });
    causeOf = createCauses(client);
    limitHandshake(client, clock);
    if (isClosed) client.disconnect();
    return { client, commands: writingTogether(client) };
  }

  function connectOnce() {
    connecting ??= connect().catch((error) => {
      connecting = null;
      throw error;
    });
    return connecting;
  }
  const withClient = (act: (client: Redis) => void) => {
    void connecting?.then(
      ({ client }) => act(client),
      () => undefined,
    );
  };

  return {
    /** The number of the database in the URL. */
    database: URL.canParse(url) ? (/^\/(\d+)$/.exec(new URL(url).pathname)?.[1] ?? null) : null,
    /** @throws The error itself, or why the connection failed */
    throwCause: (error: unknown) => causeOf(error),
    async commands(): Promise<RedisCommands> {
      return (await connectOnce()).commands;
    },
    reconnect: () => withClient((client) => client.disconnect(true)),
    close() {
      isClosed = true;
      withClient((client) => client.disconnect());
    },
  };
}

/** Writes the commands of one turn to the socket at once: each write is a call of the operating system, and a wake-up of Redis. */
function writingTogether(client: Redis): RedisCommands {
  const commands = commandsOf(client);
  let isHeld = false;

  function hold(): void {
    if (isHeld || client.status !== "ready") return;
    const { stream } = client;
    isHeld = true;
    stream.cork();
    process.nextTick(() => {
      isHeld = false;
      stream.uncork();
    });
  }

  return {
    text(command, args) {
      hold();
      return commands.text(command, args);
    },
    bytes: commands.bytes,
  };
}
