/** A service in the time of a clock that only moves when it is told to; closed after the test, if not before. */
import { afterEach } from "vitest";
import type { Options } from "../../../src/index.ts";
import type { TestClock } from "../../../src/testing/index.ts";
import { faultyDriver } from "../storage/faulty.ts";
import { openService } from "./service.ts";

/** How to close those that are open. */
const open = new Set<() => Promise<void>>();
afterEach(async () => {
  for (const close of open) await close();
});

/** @param data What is stored, for the next service to find. */
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
