/** Jobs of a cluster: the keeper executes them, and every process can start, watch and cancel them. */
import { afterEach, describe, expect, it } from "vitest";
import { type Act, act, deploy, openProcesses, type Process, type Processes } from "../support/cluster/processes.ts";

let processes: Processes;
afterEach(() => processes.close());

const csv = (rows: number) => `e:n\n${Array.from({ length: rows }, (_, n) => `${n}\n`).join("")}`;

async function open(own?: Act) {
  processes = openProcesses(own);
  const keeper = await processes.start("keeper");
  const [web, other] = [await processes.start("web", { work: false }), await processes.start("other")];
  const app = (await web.stepwell.apps.create({ name: "Shop" })).id;
  const collection = (await web.stepwell.collections.create(app, { name: "Orders" })).id;
  /** The numbers of all records, which came from the rows. */
  const numbers = async () => {
    const found: unknown[] = [];
    for (let page = 1, isLast = false; !isLast; page++) {
      const { items } = await other.stepwell.records.list(app, collection, { page, take: 100 });
      found.push(...items.map(({ data }) => data["e"]?.["n"]));
      isLast = items.length < 100;
    }
    return found.map(Number).sort((a, b) => a - b);
  };
  const job = ({ stepwell }: Process, id: string) => stepwell.jobs.get(app, id);
  return { keeper, web, other, app, collection, numbers, job };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("an import", () => {
  it.each([false, true])(
    "that a web process starts is executed, and its progress is visible everywhere (messages are lost: %s)",
    async (losesMessages) => {
      const t = await open();
      processes.queue.losesMessages = losesMessages;
      const { id } = await t.web.stepwell.records.import(t.app, t.collection, csv(450));
      const waited = t.web.stepwell.jobs.wait(t.app, id);
      await processes.until(async () => (await t.job(t.other, id)).status !== "running");
      await processes.clock.advance("2s");
      expect(await waited).toMatchObject({ status: "succeeded", done: 450, report: { failed: 0 } });
      expect(await t.job(t.keeper, id)).toEqual(await waited);
      expect(await t.numbers()).toEqual(upTo(450));
    },
  );

  it("continues when the keeper has died, and creates no record twice", async () => {
    const t = await open();
    const { id } = await t.web.stepwell.records.import(t.app, t.collection, csv(3_000));
    while ((await t.job(t.web, id)).done === 0) await processes.clock.advance(1);
    t.keeper.kill();
    expect((await t.job(t.web, id)).status).toBe("running");
    await processes.until(async () => (await t.job(t.web, id)).status === "succeeded");
    expect(await t.numbers()).toEqual(upTo(3_000));
  });

  it("creates no record twice when the earlier keeper goes on later", async () => {
    const t = await open();
    const { id } = await t.web.stepwell.records.import(t.app, t.collection, csv(1_000));
    while ((await t.job(t.web, id)).done === 0) await processes.clock.advance(1);
    t.keeper.pause();
    await processes.until(async () => (await t.job(t.web, id)).status === "succeeded");
    t.keeper.resume();
    await processes.clock.advance("1m");
    expect(await t.numbers()).toEqual(upTo(1_000));
    expect(await t.job(t.keeper, id)).toMatchObject({ status: "succeeded", done: 1_000 });
  });

  it("is canceled by a process that does not execute it", async () => {
    const t = await open();
    const { id } = await t.web.stepwell.records.import(t.app, t.collection, csv(3_000));
    while ((await t.job(t.web, id)).done === 0) await processes.clock.advance(1);
    const canceling = t.web.stepwell.jobs.cancel(t.app, id);
    let isOver = false;
    void canceling.finally(() => {
      isOver = true;
    });
    await processes.until(() => isOver);
    const { status, done } = await canceling;
    expect(status).toBe("canceled");
    await processes.clock.advance("1m");
    // What the keeper wrote before it heard of it is counted.
    expect(await t.numbers()).toHaveLength(done);
    expect(done).toBeLessThan(3_000);
    expect(await t.job(t.other, id)).toMatchObject({ status: "canceled", done });
  });

  it("is canceled although no message arrives", async () => {
    const t = await open();
    processes.queue.losesMessages = true;
    const { id } = await t.web.stepwell.records.import(t.app, t.collection, csv(10));
    let isOver = false;
    const canceling = t.web.stepwell.jobs.cancel(t.app, id).finally(() => {
      isOver = true;
    });
    await processes.until(() => isOver);
    expect((await canceling).status).toBe("canceled");
    await processes.clock.advance("2m");
    expect(await t.numbers()).toEqual([]);
  });
});

describe("a bulk job", () => {
  it("of runs that a web process starts ends, also if the keeper dies", async () => {
    const t = await open((process) => process);
    const { app, workflow } = await deploy(t.web, [act("x")]);
    for (let count = 0; count < 3; count++) await t.web.stepwell.runs.create(app, workflow, {});
    const runs = async () => (await t.web.stepwell.runs.list(app, {})).items;
    await processes.until(async () => (await runs()).every(({ status }) => status === "succeeded"));
    const job = await t.web.stepwell.runs.bulk(app, { action: "replay", filter: { workflow_id: workflow } });
    t.keeper.kill();
    await processes.until(async () => (await t.web.stepwell.jobs.get(app, job.id)).status === "succeeded");
    await processes.until(async () => (await runs()).every(({ status }) => status === "succeeded"));
    expect(await runs()).toHaveLength(6);
  });
});
