/** Notices connections on which nothing arrives anymore, although nobody has closed them. */
import type { Clock } from "../../src/ports/clock.ts";
import type { Client } from "./clients.ts";
import { isDoneWithin } from "./time-limit.ts";
import type { Timing } from "./timing.ts";

/** Replaces the connection if Redis does not respond. Returns a function that ends the checks. */
export function startHeartbeat(client: Client, clock: Clock, { heartbeatMs, timeoutMs }: Timing): () => void {
  let isStopped = false;
  let cancel = next();

  function next(): () => void {
    return clock.after(heartbeatMs, () => void check());
  }

  async function check(): Promise<void> {
    if (client.status === "ready") {
      // A rejection means that the connection is lost already.
      const isAlive = await isDoneWithin(clock, timeoutMs, client.ping()).catch(() => true);
      if (!isAlive && !isStopped) client.disconnect(true);
    }
    if (!isStopped) cancel = next();
  }

  return () => {
    isStopped = true;
    cancel();
  };
}
