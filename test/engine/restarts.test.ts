/** Regular restarts, and parents that end without their child runs. */
import { afterEach, expect, it } from "vitest";
import { createTestClock } from "../../src/testing/index.ts";
import { memory } from "../support/engine/memory.ts";
import { openService } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { openServer } from "../support/servers/http-server.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

it("a long step doesn't fail its run as poison_run over six regular restarts", async () => {
  const server = await openServer(() => new Promise(() => {}));
  closers.push(server.close);
  const data = new Map<string, string>();
  const clock = createTestClock();
  const open = (app?: string) => timedService(clock, data, { net: server.net }, app);
  const first = await open();
  const { id } = await first.start([{ type: "http_request", key: "long", url: server.url }]);
  await expect.poll(() => server.received.length).toBe(1);
  await first.close();
  for (let restart = 2; restart <= 6; restart++) {
    const next = await open(first.app);
    await expect.poll(() => server.received.length).toBe(restart);
    expect((await next.get(id)).status).toBe("running");
    await next.close();
  }
});

it("a child run whose parent has ended is canceled at the next start", async () => {
  const server = await openServer(() => new Promise(() => {}));
  closers.push(server.close);
  const data = new Map<string, string>();
  let copy = new Map<string, string>();
  let onWrite = () => {};
  const first = await openService({
    storage: { entities: memory(data, () => onWrite()).driver },
    net: server.net,
  });
  closers.push(() => first.stepwell.close());
  const child = await first.deploy([{ type: "http_request", key: "call", url: server.url }]);
  const { id } = await first.start([{ type: "workflow", key: "child", input: null, workflow_id: child }]);
  await expect.poll(() => server.received.length).toBe(1);
  // The process dies after the write that ends the parent, before the one that ends the child run.
  let writes = 0;
  onWrite = () => {
    if (++writes === 1) copy = new Map(data);
  };
  await first.stepwell.runs.cancel(first.app, id);

  const second = await openService({ storage: { entities: memory(copy).driver }, net: server.net }, first.app);
  closers.push(() => second.stepwell.close());
  expect((await second.get(id)).status).toBe("canceled");
  const [run] = (await second.stepwell.runs.listOfWorkflow(second.app, child)).items;
  await expect.poll(async () => (await second.get(run?.id ?? "")).status).toBe("canceled");
});
