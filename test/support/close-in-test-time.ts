/** Closes a service whose clock only moves when a test advances it. */
import type { TestClock } from "../../src/testing/index.ts";
import { until } from "./until.ts";

export async function closeInTestTime(stepwell: { close(): Promise<void> }, clock: TestClock): Promise<void> {
  let isClosed = false;
  const closed = stepwell.close().finally(() => {
    isClosed = true;
  });
  await until(async () => {
    // Slowly, because the time for which the service waits for its storage passes here, too.
    await clock.advance("100ms");
    return isClosed;
  });
  await closed;
}
