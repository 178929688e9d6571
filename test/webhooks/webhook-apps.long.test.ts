/** Receivers of one app that hang: the webhooks of other apps don't wait for them. */
import { expect, it } from "vitest";
import { createReceiver } from "../support/webhooks/receiver.ts";
import { openSending } from "../support/webhooks/sending.ts";

const HANGING = "https://receiver.test/hangs";
const WORKING = "https://receiver.test/works";
const WEBHOOKS = 100;

it("sends another app's events while the receivers of one app hang, at their first request and at retries", async () => {
  const receiver = createReceiver(({ url }) => (url === HANGING ? new Promise<number>(() => {}) : 204));
  const { stepwell, app, clock, pass, write, close } = await openSending({ fetch: receiver.fetch });
  for (let n = 0; n < WEBHOOKS; n++) await stepwell.webhooks.create(app, { url: HANGING, events: ["record.created"] });
  const { id: other } = await stepwell.apps.create({ name: "Other" });
  const { id: collection } = await stepwell.collections.create(other, { name: "Loans" });
  await stepwell.webhooks.create(other, { url: WORKING, events: ["record.created"] });
  const toHanging = () => receiver.received.length - receiver.accepted.length;

  for (let sent = 1; sent <= 4; sent++) {
    const before = toHanging();
    await write(1);
    await pass("1m", () => toHanging() > before);
    await stepwell.records.create(other, collection, { data: {} });
    // No request to the other app's receivers ends meanwhile: the clock stands still.
    await pass(0, () => receiver.accepted.length === sent);
  }
  expect(receiver.accepted.every(({ url }) => url === WORKING)).toBe(true);
  await clock.advance("1h");
  await close();
});
