/** Events between the runs of a cluster: each starts one run, in order, whichever processes take part. */
import { afterEach, describe, expect, it } from "vitest";
import { act, deploy, openProcesses, type Processes } from "../support/cluster/processes.ts";

let processes: Processes;
afterEach(() => processes.close());

async function open(losesMessages = false) {
  processes = openProcesses((process) => process);
  processes.queue.losesMessages = losesMessages;
  const keeper = await processes.start("keeper");
  const [web, other] = [await processes.start("web", { work: false }), await processes.start("other")];
  const steps = [{ type: "input" as const, key: "start", input: {}, destinations: ["act"] }, act("x")];
  const { app } = await deploy(web, steps, { settings: { start_on: [{ name: "paid" }] } });
  const emit = ({ stepwell }: typeof web, key: string) => stepwell.events.emit(app, { name: "paid", key });
  const delivered = async () =>
    (await other.stepwell.events.list(app, {})).items.filter(({ delivered_at }) => delivered_at !== null);
  const ended = async () => (await other.stepwell.runs.list(app, { status: ["succeeded"] })).items;
  return { keeper, web, other, app, emit, delivered, ended };
}

describe("an event", () => {
  it.each([false, true])(
    "that any process emits is delivered and starts one run (messages are lost: %s)",
    async (losesMessages) => {
      const t = await open(losesMessages);
      await t.emit(t.web, "a");
      await t.emit(t.other, "b");
      await t.emit(t.keeper, "c");
      await processes.until(async () => (await t.delivered()).length === 3 && (await t.ended()).length === 3);
      await processes.clock.advance("3m");
      expect(await t.ended()).toHaveLength(3);
      expect((await t.delivered()).map(({ runs_started }) => runs_started.length)).toEqual([1, 1, 1]);
    },
  );

  it("is delivered by another process if the keeper has died", async () => {
    const t = await open();
    t.keeper.kill();
    for (let count = 0; count < 30; count++) await t.emit(t.web, String(count));
    await processes.until(async () => (await t.ended()).length === 30);
    await processes.clock.advance("3m");
    expect(await t.ended()).toHaveLength(30);
    expect(await t.delivered()).toHaveLength(30);
  });
});
