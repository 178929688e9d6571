/** A service with a collection whose records cause events, on a clock that the test moves. */
import type { Options } from "../../../src/index.ts";
import { createTestClock } from "../../../src/testing/index.ts";
import { openService } from "../engine/service.ts";
import { until } from "../until.ts";

type Condition = () => boolean | Promise<boolean>;

const passing = (step: () => Promise<void>, holds: Condition) =>
  until(async () => {
    if (await holds()) return true;
    await step();
    return holds();
  });

export async function openSending(options: Partial<Options> = {}) {
  const clock = createTestClock();
  const service = await openService({ clock, secret: "s".repeat(40), ...options });
  const { stepwell, app } = service;
  const collection = (await stepwell.collections.create(app, { name: "Loans" })).id;

  return {
    ...service,
    clock,
    collection,
    /** Creates records, and updates each until it has so many versions. */
    async write(records: number, versions = 1): Promise<string[]> {
      const ids: string[] = [];
      for (let count = 0; count < records; count++) {
        const { id } = await stepwell.records.create(app, collection, { data: { a: { b: 1 } } });
        for (let version = 2; version <= versions; version++)
          await stepwell.records.update(app, collection, id, { data: { a: { b: version } } });
        ids.push(id);
      }
      return ids;
    },
    /** Lets time pass, in steps, until a condition holds. A request that takes longer than a step may be given up. */
    pass: (step: number | string, holds: Condition) => passing(() => clock.advance(step), holds),
    /** Lets time pass from one attempt of a webhook to the next, never while a request is in progress. */
    passAttempts: (webhookId: string, holds: Condition) =>
      passing(async () => {
        const { items } = await stepwell.webhooks.deliveries(app, webhookId, { take: 100, status: "pending" });
        const times = items.flatMap(({ due_at }) => (due_at === null ? [] : [Date.parse(due_at)]));
        await clock.advance(times.length === 0 ? 0 : Math.max(0, Math.min(...times) - clock.now()));
      }, holds),
    /** All deliveries of a webhook, oldest first. */
    deliveries: async (webhookId: string) =>
      (await stepwell.webhooks.deliveries(app, webhookId, { take: 100 })).items.toReversed(),
    close: stepwell.close,
  };
}

/** The versions of a record of which events tell, in the order of the events. */
export const versionsOf = (events: readonly { readonly data: object }[], recordId: string) =>
  events.flatMap(({ data }) => ("id" in data && data.id === recordId && "version" in data ? [data.version] : []));
