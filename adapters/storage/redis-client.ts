/** The Redis clients that the driver accepts, as one way to send a command. */
import { Buffer } from "node:buffer";

/** An argument of a command. */
export type RedisArgument = string | Buffer | number;

/** The methods of a client of `ioredis` 5 or 6 that the driver uses. */
export interface IoredisClient {
  /** Sends a command and returns text. */
  call(command: string, args: RedisArgument[]): Promise<unknown>;
  /** Sends a command and returns bytes. */
  callBuffer(command: string, args: RedisArgument[]): Promise<unknown>;
}

/** The method of a connected client of `redis` (node-redis) 5 or 6 that the driver uses. */
export interface NodeRedisClient {
  /** Whether the client is connected, or connects again. */
  readonly isOpen?: boolean;
  /** Sends a command and returns text, or bytes if `typeMapping` says so. */
  sendCommand(args: readonly (string | Buffer)[], options?: object): Promise<unknown>;
}

/**
 * A client of `ioredis` 5 or 6, or a connected one of `redis` (node-redis) 5 or 6. A Cluster of `ioredis` works too if
 * `prefix` contains a hash tag, such as `{stepwell}:`.
 */
export type RedisClient = IoredisClient | NodeRedisClient;

/** Sends commands. */
export interface RedisCommands {
  /** Returns text. */
  text(command: string, args: readonly RedisArgument[]): Promise<unknown>;
  /** Returns bytes. */
  bytes(command: string, args: readonly RedisArgument[]): Promise<unknown>;
}

/** Has node-redis return what Redis calls a blob string (`$` in its protocol) as bytes. */
const AS_BYTES = { typeMapping: { ["$".charCodeAt(0)]: Buffer } };

/**
 * @param owner What the client was given to, for messages.
 * @throws TypeError if it is neither kind of client, or not connected
 */
export function commandsOf(client: RedisClient, owner = "redis driver"): RedisCommands {
  const noClient = `The client of the ${owner} must be one of "ioredis" or of "redis" (node-redis).`;
  const given: unknown = client;
  if (typeof given !== "object" || given === null) throw new TypeError(noClient);
  if ("callBuffer" in client) {
    return {
      text: (command, args) => client.call(command, [...args]),
      bytes: (command, args) => client.callBuffer(command, [...args]),
    };
  }
  if (typeof client.sendCommand !== "function") {
    throw new TypeError(noClient);
  }
  if (client.isOpen === false) {
    throw new TypeError(`The client of the ${owner} is not connected. Call "await client.connect()" before.`);
  }
  const words = (command: string, args: readonly RedisArgument[]) => [
    command,
    ...args.map((argument) => (typeof argument === "number" ? String(argument) : argument)),
  ];
  return {
    text: (command, args) => client.sendCommand(words(command, args)),
    bytes: (command, args) => client.sendCommand(words(command, args), AS_BYTES),
  };
}
