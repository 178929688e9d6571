/** The keeper of a cluster: cleans up once for all, and every process is ready and well without being it. */
import { afterEach, describe, expect, it } from "vitest";
import { act, deploy, openProcesses, type Process, type Processes } from "../support/cluster/processes.ts";

let processes: Processes;
afterEach(() => processes.close());

async function open() {
  processes = openProcesses((process) => process);
  const keeper = await processes.start("keeper");
  const [web, other] = [await processes.start("web", { work: false }), await processes.start("other")];
  return { keeper, web, other };
}

const documentsOf = (app: string) => processes.documents().filter((json) => json.includes(app));

describe("the data of an app that a web process deletes", () => {
  async function fill({ stepwell }: Process) {
    const { app } = await deploy({ stepwell } as Process, [act("x")]);
    const collection = (await stepwell.collections.create(app, { name: "Orders" })).id;
    for (let count = 0; count < 5; count++) await stepwell.records.create(app, collection, { data: {} });
    await stepwell.webhooks.create(app, { url: "https://receiver.test/", events: ["record.created"] });
    await stepwell.records.create(app, collection, { data: {} });
    return app;
  }

  it.each([false, true])("is deleted by the keeper (messages are lost: %s)", async (losesMessages) => {
    const { web, other } = await open();
    processes.queue.losesMessages = losesMessages;
    const app = await fill(web);
    await processes.clock.advance("2s");
    expect(documentsOf(app)).not.toEqual([]);
    await other.stepwell.apps.remove(app);
    await processes.until(() => documentsOf(app).length === 0);
    expect(processes.warnings).toEqual([]);
  });

  it("is deleted by another process if the keeper has died", async () => {
    const { keeper, web } = await open();
    const app = await fill(web);
    keeper.kill();
    await web.stepwell.apps.remove(app);
    expect(documentsOf(app)).not.toEqual([]);
    await processes.until(() => documentsOf(app).length === 0);
  });
});

describe("a process that is not the keeper", () => {
  it.each(["keeper", "web", "other"] as const)("is ready and healthy: %s", async (which) => {
    const all = await open();
    await processes.clock.advance("2m");
    const process = all[which];
    await process.stepwell.ready();
    const response = await process.stepwell.fetch(new Request("http://localhost/health"));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ready" });
  });
});

describe("cleaning", () => {
  it("is done by the keeper, and by no process that cannot become it", async () => {
    const { web } = await open();
    const app = (await web.stepwell.apps.create({ name: "Shop" })).id;
    await web.stepwell.events.emit(app, { name: "paid" });
    const kept = () => documentsOf(app).filter((json) => json.includes("paid")).length;
    await processes.close();
    await processes.clock.advance("8d");
    await processes.start("web", { work: false });
    await processes.clock.advance("2m");
    expect(kept()).toBe(1);
    await processes.start("keeper");
    await processes.clock.advance("2m");
    expect(kept()).toBe(0);
    expect(processes.warnings.filter((text) => text.includes("could not delete"))).toEqual([]);
  });
});
