/** What rate limits store goes with their time. */
import { expect, it } from "vitest";
import { createTestClock } from "../../src/testing/index.ts";
import { give, input } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { withDocuments } from "../support/storage/stored-documents.ts";
import { until } from "../support/until.ts";

it("the starts of each key, and the lists of the runs that waited, are deleted when they no longer count", async () => {
  const clock = createTestClock();
  const data = new Map<string, string>();
  const first = await timedService(clock, data);
  const { stepwell, app } = first;
  const settings = { rate_limit: { limit: 1, period: 60, key: "input.address" } };
  const workflow = await first.deploy([input("in", { input: { address: { type: "string" } } }), give("out")], {
    settings,
  });
  const runs = [];
  for (let index = 0; index < 10; index++) {
    const input = { address: `10.0.0.${index % 5}` };
    runs.push(await stepwell.runs.create(app, workflow, { input }));
  }
  for (let isOver = false; !isOver; ) {
    await clock.advance("1m");
    isOver = (await stepwell.runs.list(app, { status: "succeeded", take: 1 })).total === runs.length;
  }
  await first.close();
  const left = () => [...withDocuments(data).keys()].filter((key) => /rate-limit/.test(key));
  expect(left().filter((key) => key.startsWith("rate-limit:"))).toHaveLength(5);

  await clock.advance("5m"); // two periods after the last start
  await until(async () => {
    const next = await timedService(clock, data, {}, app);
    await next.stepwell.ready();
    await next.stepwell.tags.create(app, { name: `t${clock.now()}` }); // a checkpoint
    await next.close();
    return left().length === 0;
  });
  expect(left()).toEqual([]);
});
