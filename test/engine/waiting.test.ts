/** Input steps in the middle of a run: the run waits, is evicted meanwhile, and resumes with the provided input. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { branch, give, input, openService, type Service, statuses, step, to } from "../support/engine/service.ts";
import type { Refusal } from "../support/http/transports.ts";

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.stepwell.close());

const asks = (key: string, more: Parameters<typeof input>[1] = {}) =>
  input(key, { input: { ok: { type: "boolean" }, note: { type: "string", optional: true } }, ...more });

const isWaiting = (run: { status: string }) => run.status === "waiting";
const provide = (runId: string, key: string, values: Parameters<Service["stepwell"]["runs"]["provide"]>[3]) =>
  service.stepwell.runs.provide(service.app, runId, key, values);

async function refusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: Refusal) => reason,
  );
  return error === undefined ? "" : [error.code, ...error.errors.map(({ pointer }) => pointer)].join(" ");
}

describe("an input step in the middle of a run", () => {
  it("waits for input, fills in optional fields, and resumes the run", async () => {
    const steps = [input("in"), give("a"), asks("approval"), give("b", { conditional: "steps.approval.output.ok" })];
    const { id } = await service.start(steps);
    const waiting = await service.until(id, isWaiting);
    expect(statuses(waiting)).toEqual({ in: "succeeded", a: "succeeded", approval: "waiting", b: "pending" });
    expect(waiting).toMatchObject({ output: null, finished_at: null });
    expect(await service.stepwell.runs.list(service.app, { status: "waiting" })).toMatchObject({ items: [{ id }] });

    await provide(id, "approval", { ok: "true" });
    const run = await service.wait(id);
    expect(run).toMatchObject({ status: "succeeded", output: "b" });
    expect(step(run, "approval")).toMatchObject({ status: "succeeded", output: { ok: true, note: null } });
  });

  it("makes a new run wait at once if there is nothing else to do", async () => {
    const run = await service.start([input("in"), asks("approval")]);
    expect(run.status).toBe("waiting");
    expect((await provide(run.id, "approval", { ok: false })).status).toMatch(/succeeded|running/);
    expect(await service.wait(run.id)).toMatchObject({ status: "succeeded", output: { ok: false, note: null } });
  });

  it("rejects invalid input and keeps waiting", async () => {
    const { id } = await service.start([input("in"), asks("approval"), give("b")]);
    expect(await refusal(provide(id, "approval", { ok: "perhaps", more: 1 }))).toBe("invalid /ok /more");
    expect(await refusal(provide(id, "approval", {}))).toBe("invalid /ok");
    expect(await refusal(provide(id, "nobody", { ok: true }))).toBe("not_found");
    expect(await refusal(provide(id, "b", { ok: true }))).toBe("not_found");
    expect((await service.get(id)).status).toBe("waiting");
    await provide(id, "approval", { ok: true });
    expect((await service.wait(id)).status).toBe("succeeded");
  });

  it("accepts input once; later or concurrent input is a conflict", async () => {
    const { id } = await service.start([input("in"), asks("approval"), give("b", { loop: "iteration == 50" })]);
    const answers = [true, false, true].map((ok) => refusal(provide(id, "approval", { ok })));
    expect((await Promise.all(answers)).sort()).toEqual(["", "conflict", "conflict"]);
    expect(await refusal(provide(id, "approval", { ok: true }))).toBe("conflict");
    await service.wait(id);
    expect(await refusal(provide(id, "approval", { ok: true }))).toBe("conflict");
  });

  it("rejects input before it is reached and after a cancel, and is skipped on a path that is not taken", async () => {
    const steps: Step[] = [
      input("in", to("hang")),
      { type: "code", key: "hang", code: "hang", destinations: ["approval"] },
      asks("approval"),
    ];
    const { id } = await service.start(steps);
    expect(await refusal(provide(id, "approval", { ok: true }))).toBe("conflict");
    expect(await refusal(provide(id, "in", {}))).toBe("conflict");
    const notWaiting = (status: string) => `The step is not waiting for input. Its status is ${status}.`;
    await expect(provide(id, "approval", { ok: true })).rejects.toThrow(notWaiting("pending"));
    await expect(provide(id, "in", {})).rejects.toThrow(notWaiting("succeeded"));
    await service.stepwell.runs.cancel(service.app, id);
    expect(await refusal(provide(id, "approval", { ok: true }))).toBe("conflict");

    const dead = await service.run([input("in"), branch("p", { yes: ["false", "approval"] }), asks("approval")]);
    expect(statuses(dead)).toMatchObject({ approval: "skipped" });
  });

  it("waits in parallel with other input steps and running steps", async () => {
    const { id } = await service.start([
      input("in", to("one", "two", "slow")),
      asks("one", to("join")),
      asks("two", to("join")),
      give("slow", { ...to("join"), loop: "iteration == 20" }),
      give("join"),
    ]);
    await provide(id, "two", { ok: true });
    await service.until(id, isWaiting);
    expect(statuses(await service.get(id))).toMatchObject({ one: "waiting", two: "succeeded", join: "pending" });
    await provide(id, "one", { ok: true });
    expect(await service.wait(id)).toMatchObject({ status: "succeeded", output: "join" });
  });

  it("is skipped when its conditional is false", async () => {
    const run = await service.run([input("in"), asks("approval", { conditional: "false" }), give("b")]);
    expect(statuses(run)).toEqual({ in: "succeeded", approval: "skipped", b: "succeeded" });
  });

  it("waits for input again until its loop is true", async () => {
    const { id } = await service.start([input("in"), asks("approval", { loop: "output.ok" }), give("b")]);
    for (const ok of [false, false, true]) {
      await service.until(id, isWaiting);
      expect(step(await service.get(id), "approval").status).toBe("waiting");
      await provide(id, "approval", { ok });
    }
    const run = await service.wait(id);
    expect(step(run, "approval")).toMatchObject({ status: "succeeded", attempts: 3, output: { ok: true } });
    expect(run.output).toBe("b");
  });

  it("is canceled with its run", async () => {
    const { id } = await service.start([input("in"), asks("approval"), give("b")]);
    const run = await service.stepwell.runs.cancel(service.app, id);
    expect(run).toMatchObject({ status: "canceled", output: null, error: null });
    expect(statuses(run)).toEqual({ in: "succeeded", approval: "canceled", b: "canceled" });
  });

  it("resolves runs.wait, although the run was evicted from memory", async () => {
    const { id } = await service.start([input("in"), asks("approval"), give("b")]);
    const waited = service.wait(id);
    await provide(id, "approval", { ok: true });
    expect((await waited).status).toBe("succeeded");
  });
});
