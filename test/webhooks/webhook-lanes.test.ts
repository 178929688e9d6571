/** Deliveries of one resource to one webhook, which wait for each other. */
import { expect, it } from "vitest";
import { createStepwell } from "../../src/index.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { silent } from "../support/storage/open.ts";
import { until } from "../support/until.ts";
import { createReceiver } from "../support/webhooks/receiver.ts";

/** A driver whose writes take effect one by one, when a test says so. */
function steppedDriver() {
  const data = new Map<string, string>();
  const pending: (() => void)[] = [];
  let isStepped = false;
  const driver = {
    name: "stepped",
    hasItem: (key: string) => data.has(key),
    getItem: (key: string) => data.get(key) ?? null,
    async setItem(key: string, value: string) {
      if (isStepped) await new Promise<void>((resolve) => void pending.push(resolve));
      data.set(key, value);
    },
    removeItem: (key: string) => void data.delete(key),
    getKeys: () => [...data.keys()],
  };
  return {
    driver,
    hold(): void {
      isStepped = true;
    },
    /** Lets the next write take effect. */
    async step(): Promise<void> {
      await until(() => pending.length > 0);
      pending.shift()?.();
      await turnEventLoop();
    },
    release(): void {
      isStepped = false;
      for (const write of pending.splice(0)) write();
    },
    pending,
  };
}

it("an event that is stored while the one before it ends is delivered, too", async () => {
  const storage = steppedDriver();
  let answer = () => {};
  const { fetch, received } = createReceiver(async () => {
    if (received.length === 1) await new Promise<void>((resolve) => (answer = resolve));
    return 204;
  });
  const options = { logger: silent, secret: "s".repeat(40), fetch, storage: { entities: storage.driver } };
  const stepwell = createStepwell(options);
  const { id: app } = await stepwell.apps.create({ name: "Tests" });
  const { id: collection } = await stepwell.collections.create(app, { name: "Loans" });
  await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.*"] });
  const { id } = await stepwell.records.create(app, collection, { data: { loan: { amount: 1 } } });
  await until(() => received.length === 1);
  storage.hold();
  const updated = stepwell.records.update(app, collection, id, { data: { loan: { amount: 2 } } });
  await storage.step();
  await updated;
  // The delivery of the second event is being stored when the first one ends.
  await until(() => storage.pending.length > 0);
  answer();
  await turnEventLoop();
  await storage.step();
  storage.release();
  await expect.poll(() => received.map(({ event }) => event.type)).toEqual(["record.created", "record.updated"]);
  await stepwell.close();
});
