/** `GET /health` while only other settings would let a worker take jobs. */
import { expect, inject, it } from "vitest";
import { bullmq } from "../../../adapters/cluster/cluster.ts";
import redisStore from "../../../adapters/storage/redis-store/redis-store.ts";
import { createStepwell } from "../../../src/index.ts";
import { silent } from "../../support/storage/open.ts";
import { uniquePrefix } from "../../support/storage/redis-stores.ts";
import { until } from "../../support/until.ts";

it.each([
  [true, 503, { status: "not_ready", not_ready: [{ part: "cluster", reason: "wrong settings", failures: 1 }] }],
  [false, 200, { status: "ready" }],
])("a process with work: %s responds with %i", async (work, status, body) => {
  const prefix = uniquePrefix();
  const stepwell = createStepwell({
    baseUrl: "http://localhost",
    secret: "s".repeat(40),
    logger: silent,
    storage: { entities: redisStore({ url: inject("redis"), prefix }) },
    cluster: bullmq({ connection: `${inject("redis")}/999`, prefix, work }),
  });
  await stepwell.ready();
  const check = () => stepwell.fetch(new Request("http://localhost/health"));
  await until(async () => (await check()).status === status);
  expect(await (await check()).json()).toEqual(body);
  await stepwell.close();
});
