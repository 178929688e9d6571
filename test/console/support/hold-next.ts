/** Holds a response back, so that a test decides what happens before it arrives. */
import { onTestFinished } from "vitest";
import { createGate } from "../../support/gate.ts";
import type { ConsoleServer } from "./console-server.ts";

/** Holds the next request to a URL, until it is let go. */
export function holdNext(server: ConsoleServer, method: string, url: RegExp) {
  const arrived = createGate();
  const held = createGate();
  let isHeld = false;
  server.intercept((request, response) => {
    if (isHeld || request.method !== method || !url.test(request.url ?? "")) return false;
    isHeld = true;
    arrived.release();
    void held.released.then(() => server.handle(request, response));
    return true;
  });
  onTestFinished(() => {
    held.release();
    server.intercept(() => false);
  });
  return { arrived: arrived.released, release: held.release };
}
