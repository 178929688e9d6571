/** The outbox of a process that is not the keeper of its cluster anymore. */
import { expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { createIds } from "../../src/ids.ts";
import { createBackground } from "../../src/time/background.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { createOutbox } from "../../src/webhooks/outbox.ts";
import { createWebhookIndex } from "../../src/webhooks/webhook-index.ts";
import { createWebhookStamps } from "../../src/webhooks/webhook-stamps.ts";
import { openStore, silent } from "../support/storage/open.ts";

/** So often that nothing else in the process would get a turn. */
const FOREVER = 1_000;

it("rests until it is, although it was woken", async () => {
  const store = openStore(memoryDriver());
  const base = { store, clock: systemClock, logger: silent };
  const background = createBackground({ ...base, open: async () => undefined });
  let asked = 0;
  let isMine = false;
  const duties = {
    get isMine() {
      if (++asked > FOREVER) throw new Error("It never rests.");
      return isMine;
    },
  };
  const index = createWebhookIndex({ store, stamps: createWebhookStamps({ store, isShared: true }) });
  const outbox = createOutbox({
    ...{ ...base, ids: createIds(systemClock), background, index, duties },
    deletedApps: new Set(),
    onDeliveries: () => undefined,
  });
  outbox.wake();
  await expect.poll(() => asked).toBeGreaterThan(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBeLessThan(10);

  const before = asked;
  isMine = true;
  outbox.wake();
  await expect.poll(() => asked).toBeGreaterThan(before);
  await outbox.stop();
  await background.stop();
  await store.close();
});
