/** A service with a test clock that only moves when a test advances it; closed after the test. */
import { afterEach } from "vitest";
import type { Options } from "../../../src/index.ts";
import type { TestClock } from "../../../src/testing/index.ts";
import { faultyDriver } from "../storage/faulty.ts";
import { openService } from "./service.ts";

/** Closes the services that are open. */
const open = new Set<() => Promise<void>>();
afterEach(async () => {
  for (const close of open) await close();
});

/** @param data The stored items, which a later service can open again. */
export async function timedService(
  clock: TestClock,
  data = new Map<string, string>(),
  more: Options = {},
  app?: string,
) {
  const storage = { entities: faultyDriver(data, "rejects", 0).driver };
  const opened = await openService({ storage, clock, ...more }, app);
  async function close(): Promise<void> {
    open.delete(close);
    const closed = opened.stepwell.close();
    await clock.advance("1m");
    await closed;
  }
  open.add(close);
  return { ...opened, close };
}
