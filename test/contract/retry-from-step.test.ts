/** Retrying a run on another version or from a step, and replaying it from a step. */
import { expect, it } from "vitest";
import type { Run, Step } from "../../src/index.ts";
import { describeEachTransport, refusal } from "../support/http/transports.ts";
import { createRunFixture, IN, options } from "../support/workflows/runs.ts";

const give = (key: string, value: unknown = key, more: Partial<Extract<Step, { type: "code" }>> = {}): Step => ({
  ...{ type: "code", key, code: `give ${JSON.stringify(value)}` },
  ...more,
});
const fail = (key: string): Step => ({ type: "code", key, code: "fail broke" });
/** More than what is stored inline. */
const LARGE = "x".repeat(40_000);

describeEachTransport("a run that is retried", (open) => {
  async function fixture(steps: Step[]) {
    const { callApi, appId, deploy, wait, stepwell } = await createRunFixture(open(options));
    const workflow = await deploy(steps);
    return {
      ...{ callApi, appId, workflow, stepwell },
      run: async (input: object = {}): Promise<Run> =>
        wait(((await callApi("runs.create", appId, workflow, { input })) as Run).id),
      retry: async (id: string, how: object): Promise<Run> => {
        await callApi("runs.retry", appId, id, how);
        return wait(id);
      },
      replay: async (id: string, how: object): Promise<Run> =>
        wait(((await callApi("runs.replay", appId, id, how)) as Run).id),
      change: async (changed: Step[]) => {
        await callApi("workflows.putDraft", appId, workflow, { steps: changed });
        await callApi("workflows.deploy", appId, workflow);
      },
    };
  }
  const attempts = ({ steps }: Run) => Object.fromEntries(steps.map(({ key, attempts: count }) => [key, count]));
  const startedAt = ({ steps }: Run, key: string) => steps.find((step) => step.key === key)?.started_at;

  it("continues on a version that mends the failed step, and keeps what is the same", async () => {
    const { run, retry, change } = await fixture([IN, give("large", LARGE), fail("bad"), give("after")]);
    const failed = await run();
    expect(failed).toMatchObject({ status: "failed", version: 1 });
    await change([IN, give("large", LARGE), give("bad", "mended"), give("new"), give("after")]);
    const again = await retry(failed.id, { version: "latest" });
    expect(again).toMatchObject({ id: failed.id, status: "succeeded", version: 2, output: "after" });
    expect(again.steps.map(({ key, output }) => [key, output])).toEqual([
      ...[
        ["in", {}],
        ["large", LARGE],
        ["bad", "mended"],
        ["new", "new"],
        ["after", "after"],
      ],
    ]);
    expect(startedAt(again, "large")).toBe(startedAt(failed, "large"));
  });

  it("refuses a version on which an executed step differs, or a step before it", async () => {
    const { run, retry, change, callApi, appId } = await fixture([IN, give("a"), give("b"), fail("bad")]);
    const failed = await run();
    await change([IN, give("a", "other"), give("b"), give("bad")]);
    const refused = callApi("runs.retry", appId, failed.id, { version: 2 });
    await expect(refused).rejects.toThrow('"a", "b"');
    const again = await retry(failed.id, { version: 2, from_step: "a" });
    expect(again).toMatchObject({ status: "succeeded", output: "bad" });
    expect(again.steps.map(({ output }) => output)).toEqual([{}, "other", "b", "bad"]);
  });

  it("is not bothered by what an editor stores, and by the order of members", async () => {
    const { run, retry, change } = await fixture([IN, give("a"), fail("bad")]);
    const failed = await run();
    await change([
      IN,
      { code: 'give "a"', position: [1, 2], key: "a", type: "code", display: "expanded" },
      give("bad"),
    ]);
    expect((await retry(failed.id, { version: "latest" })).status).toBe("succeeded");
  });

  it("executes a step again with everything after it, and keeps what is beside it", async () => {
    const steps: Step[] = [
      { ...IN, destinations: ["a", "beside"] },
      give("a", "a", { destinations: ["b"] }),
      give("b", "b", { destinations: ["bad"] }),
      give("beside", "beside", { destinations: ["bad"] }),
      fail("bad"),
    ];
    const { run, retry, callApi, appId } = await fixture(steps);
    const failed = await run();
    const again = await retry(failed.id, { from_step: "b" });
    expect(again.status).toBe("failed");
    expect(startedAt(again, "a")).toBe(startedAt(failed, "a"));
    expect(startedAt(again, "beside")).toBe(startedAt(failed, "beside"));
    expect(attempts(again)).toEqual({ in: 1, a: 1, b: 1, beside: 1, bad: 1 });
    expect(await refusal(callApi("runs.retry", appId, failed.id, { from_step: "none" }))).toBe(
      "422 invalid /from_step",
    );
    expect(await refusal(callApi("runs.retry", appId, failed.id, { step: "b" }))).toBe("422 invalid /step");
  });

  it("checks its input again for the other version", async () => {
    const { run, change, callApi, appId } = await fixture([IN, fail("bad")]);
    const failed = await run();
    await change([{ type: "input", key: "in", input: { name: { type: "string" } } }, give("bad")]);
    expect(await refusal(callApi("runs.retry", appId, failed.id, { version: "latest" }))).toMatch(
      /^422 invalid \/input/,
    );
    await change([{ type: "input", key: "other", input: {} }, give("bad")]);
    expect(await refusal(callApi("runs.retry", appId, failed.id, { version: "latest" }))).toBe("409 conflict");
  });

  it("can be replayed from a step, with the outcomes of the steps before it", async () => {
    const { run, replay, change, callApi, appId } = await fixture([IN, give("large", LARGE), give("b"), give("c")]);
    const first = await run();
    const second = await replay(first.id, { from_step: "b" });
    expect(second).toMatchObject({ status: "succeeded", output: "c", trigger: { type: "replay", id: first.id } });
    expect(second.id).not.toBe(first.id);
    expect(second.steps[1]?.output === LARGE).toBe(true);
    expect(startedAt(second, "large")).toBe(startedAt(first, "large"));
    await change([IN, give("large", LARGE), give("b", "new b"), give("c")]);
    const third = await replay(second.id, { from_step: "b", version: "latest" });
    expect(third.steps.map(({ output }) => output)).toEqual([{}, LARGE, "new b", "c"]);
    // What it kept is its own.
    await callApi("runs.remove", appId, first.id);
    await callApi("runs.remove", appId, second.id);
    expect((await callApi("runs.get", appId, third.id)).steps[1].output).toBe(LARGE);
    expect(await refusal(callApi("runs.replay", appId, third.id, { from_step: "b", input: {} }))).toBe(
      "422 invalid /from_step",
    );
  });

  it("can be replayed from a step on a draft that no run has used yet", async () => {
    const { run, replay, callApi, appId, workflow } = await fixture([IN, give("a"), give("b")]);
    const first = await run();
    await callApi("workflows.putDraft", appId, workflow, { steps: [IN, give("a"), give("b", "changed")] });
    const again = await replay(first.id, { version: "draft", from_step: "b" });
    expect(again).toMatchObject({ status: "succeeded", version: 0, output: "changed" });
    expect(startedAt(again, "a")).toBe(startedAt(first, "a"));
  });

  it("cannot be replayed from a step before it has ended", async () => {
    const { callApi, appId, workflow } = await fixture([IN, { type: "input", key: "ask", input: {} }]);
    const { id }: Run = await callApi("runs.create", appId, workflow);
    expect(await refusal(callApi("runs.replay", appId, id, { from_step: "ask" }))).toBe("409 conflict");
  });
});
