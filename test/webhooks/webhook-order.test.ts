/** Random receivers and writes: every event arrives, those of a record in order, and never too many requests at once. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createReceiver } from "../support/webhooks/receiver.ts";
import { openSending, versionsOf } from "../support/webhooks/sending.ts";

const RECORDS = 4;
const VERSIONS = 3;

/** How the requests of one event end before it is accepted, and for how many turns of the event loop each takes. */
const outcomes = fc.array(fc.record({ status: fc.constantFrom(500, 429, 404), turns: fc.nat(4) }), { maxLength: 3 });
const receivers = fc.array(outcomes, { minLength: RECORDS * VERSIONS, maxLength: RECORDS * VERSIONS });

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it("delivers all events, those of a record in order, whatever requests fail and however long they take", async () => {
  await fc.assert(
    fc.asyncProperty(receivers, fc.nat(), async (planned, outage) => {
      const plans = new Map<string, { status: number; turns: number }[]>();
      let open = 0;
      let most = 0;
      const { fetch, received, accepted } = createReceiver(async ({ event }) => {
        most = Math.max(most, ++open);
        const plan = plans.get(event.id) ?? [...(planned[plans.size] ?? [])];
        plans.set(event.id, plan);
        const { status = 204, turns = 0 } = plan.shift() ?? {};
        for (let count = 0; count < turns; count++) await turn();
        open--;
        return received.length <= outage % 20 ? 503 : status;
      });
      const { stepwell, app, write, passAttempts, deliveries, close } = await openSending({ fetch });
      const { id } = await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.*"] });
      const records = await write(RECORDS, VERSIONS);
      await passAttempts(id, () => accepted.length === RECORDS * VERSIONS);
      await passAttempts(id, async () => (await deliveries(id)).every(({ status }) => status === "delivered"));
      const events = accepted.map(({ event }) => event);
      for (const record of records) expect(versionsOf(events, record)).toEqual([1, 2, 3]);
      for (const { attempts_count, event_id } of await deliveries(id)) {
        expect(received.filter(({ event }) => event.id === event_id)).toHaveLength(attempts_count);
      }
      expect(most).toBeLessThanOrEqual(4);
      expect(await stepwell.webhooks.get(app, id)).toMatchObject({ enabled: true, failing_since: null });
      await close();
    }),
    { numRuns: 6 },
  );
});
