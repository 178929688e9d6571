/** Deliveries of webhooks are kept for 30 days, also those that were never delivered. */
import { expect, it } from "vitest";
import { createTestClock } from "../../src/testing/index.ts";
import { openService } from "../support/engine/service.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { until } from "../support/until.ts";
import { createReceiver } from "../support/webhooks/receiver.ts";

it("a delivery that waits is deleted after 30 days, and the next one of its record can be sent", async () => {
  const data = new Map<string, string>();
  const storage = () => ({ entities: faultyDriver(data, "rejects", 0).driver });
  const secret = "s".repeat(40);
  const clock = createTestClock();
  let release = () => {};
  const { fetch, received, answer } = createReceiver(() => 410);
  const { stepwell, app } = await openService({ storage: storage(), clock, secret, fetch });
  const collection = (await stepwell.collections.create(app, { name: "Loans" })).id;
  const { id } = await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.*"] });
  const isOff = async () => !(await stepwell.webhooks.get(app, id)).enabled;
  const record = (await stepwell.records.create(app, collection, { data: { a: { b: 1 } } })).id;
  await until(isOff);
  await clock.advance("2d");
  answer(
    () =>
      new Promise((resolve) => {
        release = () => resolve(410);
      }),
  );
  await stepwell.webhooks.update(app, id, { enabled: true });
  await stepwell.records.update(app, collection, record, { data: { a: { b: 2 } } });
  await until(async () => (await stepwell.webhooks.deliveries(app, id)).total === 2);
  await until(() => received.length === 2);
  release();
  await until(isOff);
  await stepwell.close();

  answer(() => 200);
  const later = createTestClock("2030-01-31T01:00:00.000Z"); // 30 days after the first
  const next = (await openService({ storage: storage(), clock: later, secret, fetch }, app)).stepwell;
  const versions = async () =>
    (await next.webhooks.deliveries(app, id)).items.map(({ type, status }) => `${type} ${status}`);
  await expect.poll(versions).toEqual(["record.updated pending"]);
  await next.webhooks.update(app, id, { enabled: true });
  await until(async () => (await versions()).join() === "record.updated delivered");
  expect(received).toHaveLength(3);
  await next.close();
});
