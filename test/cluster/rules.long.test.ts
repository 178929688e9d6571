/** Rules of records in a cluster: the process that writes a record evaluates it, and the runs execute in any worker. */
import { afterEach, describe, expect, it } from "vitest";
import { type Act, act, deploy, openProcesses, type Process, type Processes } from "../support/cluster/processes.ts";

let processes: Processes;
afterEach(() => processes.close());

async function open(own: Act) {
  processes = openProcesses(own);
  const keeper = await processes.start("keeper");
  const [web, other] = [await processes.start("web", { work: false }), await processes.start("other")];
  const { app, workflow } = await deploy(web, [act("PASS")]);
  const rules = [{ key: "check", name: "Check", workflow_id: workflow }];
  const collection = (await web.stepwell.collections.create(app, { name: "Loans", config: { rules } })).id;
  const records = async () => (await other.stepwell.records.list(app, collection)).items;
  const result = async () => (await records())[0]?.rule_results[0];
  /** Does not wait for the rules, as the call does. */
  async function create({ stepwell }: Process): Promise<void> {
    void stepwell.records.create(app, collection, { data: {} });
    await processes.until(async () => (await records()).length === 1);
  }
  return { keeper, web, other, app, result, create };
}

describe("the rules of a record that a web process writes", () => {
  it.each([false, true])("are evaluated in the workers, each once (messages are lost: %s)", async (losesMessages) => {
    let calls = 0;
    const t = await open((_, given) => {
      calls++;
      return given;
    });
    processes.queue.losesMessages = losesMessages;
    await t.create(t.web);
    await processes.until(async () => (await t.result())?.result === "PASS");
    const first = await t.result();
    await processes.clock.advance("11m");
    expect(await t.result()).toEqual(first);
    expect(calls).toBe(1);
  });

  it("are evaluated by the keeper if that process dies", async () => {
    let finish = () => {};
    const t = await open(
      (_, given) =>
        new Promise((resolve) => {
          finish = () => resolve(given);
        }),
    );
    await t.create(t.web);
    await processes.until(async () => ((await t.result())?.run_id ?? null) !== null);
    t.web.kill();
    await processes.clock.advance("30s");
    finish();
    await processes.until(async () => (await t.result())?.result !== "PENDING");
    expect(await t.result()).toMatchObject({ result: "PASS" });
  });
});
