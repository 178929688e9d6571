import type { Redis } from "ioredis";
import type { Clock } from "../../src/ports/clock.ts";

/** Milliseconds for the first answers of a connection. */
const HANDSHAKE_MS = 5_000;

/**
 * Replaces a connection that was accepted, but on which Redis does not answer, as when the network fails meanwhile: `ioredis`
 * limits only the time until a connection is accepted, and would wait for the first answer without an end.
 *
 * @param timeoutMs Milliseconds for the first answers. Default: {@link HANDSHAKE_MS}.
 */
export function limitHandshake(client: Redis, clock: Pick<Clock, "after">, timeoutMs = HANDSHAKE_MS): void {
  let cancel = () => {};
  client.on("connect", () => {
    cancel();
    cancel = clock.after(timeoutMs, () => {
      const seconds = timeoutMs / 1_000;
      client.emit("error", new Error(`The server accepts connections, but has not answered for ${seconds} seconds.`));
      client.disconnect(true);
    });
  });
  const end = () => cancel();
  client.on("ready", end);
  client.on("close", end);
}
