/** Closes a service whose clock only moves when a test advances it. */
import type { TestClock } from "../../src/testing/index.ts";
import { until } from "./until.ts";

export async function closeInTestTime(stepwell: { close(): Promise<void> }, clock: TestClock): Promise<void> {
  let isClosed = false;
  const closed = stepwell.close().finally(() => {
    isClosed = true;
  });
  await until(async () => {
    await clock.advance("1m");
    return isClosed;
  });
  await closed;
}
