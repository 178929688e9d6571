/** Messages to all processes, over Redis' publish and subscribe. */
import type { Logger } from "../../src/ports/logger.ts";
import type { Client } from "./clients.ts";
import type { ConnectionLog } from "./connection-log.ts";

/** Messages that Redis has not confirmed. More are dropped. */
const MAX_UNCONFIRMED = 10_000;

export const channelOf = (prefix: string) => `{${prefix}}:messages`;

export interface Publisher {
  publish(message: string): void;
  /** Sends what was published in this turn. */
  flush(): void;
}

/** Sends the messages of one turn of the event loop together. */
export function createPublisher(client: Client, channel: string, log: ConnectionLog): Publisher {
  let pending: string[] = [];
  let unconfirmed = 0;

  function flush(): void {
    const messages = pending;
    pending = [];
    if (messages.length === 0 || client.status !== "ready") return;
    unconfirmed += messages.length;
    const confirm = (answers?: readonly (readonly [Error | null, unknown])[] | null) => {
      unconfirmed -= messages.length;
      const refused = answers?.find(([error]) => error !== null);
      if (refused !== undefined) log.report(refused[0]);
    };
    client
      .pipeline(messages.map((message) => ["publish", channel, message]))
      .exec()
      .then(confirm, () => confirm());
  }

  return {
    flush,
    publish(message) {
      if (client.status !== "ready" || unconfirmed + pending.length >= MAX_UNCONFIRMED) return;
      if (pending.push(message) === 1) setImmediate(flush);
    },
  };
}

/** `ioredis` subscribes again when the connection was lost. */
export function subscribeTo(
  client: Client,
  channel: string,
  listener: (message: string) => void,
  { logger, log }: { readonly logger: Logger; readonly log: ConnectionLog },
): void {
  client.on("message", (_: string, message: string) => {
    try {
      listener(message);
    } catch (error) {
      logger.error("A message of another process could not be handled.", { error });
    }
  });
  client.subscribe(channel).catch(log.report);
}
