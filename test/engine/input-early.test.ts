/** Input that is provided before the run has started, or while it stores something else. */
import { afterEach, describe, expect, it } from "vitest";
import type { Options, Step } from "../../src/index.ts";
import { memory } from "../support/engine/memory.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { give, input, openService, type Service, statuses, step, to } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";

let open: Service[] = [];
afterEach(async () => {
  await Promise.all(open.map(({ stepwell }) => stepwell.close()));
  open = [];
});

async function service(options: Options): Promise<Service> {
  const opened = await openService(options);
  open.push(opened);
  return opened;
}

const asks = (key: string, ...destinations: string[]) =>
  input(key, { input: { ok: { type: "boolean" } }, ...to(...destinations) });
const hang: Step = { type: "code", key: "hang", code: "hang" };

describe("input for a queued run", () => {
  /** One run that holds the only slot, and one in the queue. */
  async function queued() {
    const opened = await service({ limits: { concurrentRuns: 1 } });
    const first = await opened.start([hang]);
    const second = await opened.start([
      input("in", to("work", "ask", "later")),
      give("work", to("late")),
      asks("ask"),
      asks("late"),
      { ...hang, key: "later" },
    ]);
    expect(second.status).toBe("queued");
    const cancel = (...runs: readonly { id: string }[]) =>
      Promise.all(runs.map(({ id }) => opened.stepwell.runs.cancel(opened.app, id)));
    return { ...opened, first, second, cancel };
  }

  it("is stored at once, and the run starts with all other steps when a slot is free", async () => {
    const { stepwell, app, first, second, get, until, cancel } = await queued();
    await stepwell.runs.provide(app, second.id, "ask", { ok: true });
    const waiting = await get(second.id);
    expect(waiting).toMatchObject({ status: "queued", started_at: null });
    expect(statuses(waiting)).toMatchObject({ ask: "succeeded" });
    await cancel(first);
    const run = await until(second.id, (run) => step(run, "work").status === "succeeded");
    expect(run.started_at).not.toBeNull();
    expect(statuses(run)).toMatchObject({ ask: "succeeded", late: "waiting", later: "running" });
    await cancel(second);
  });

  it("is a conflict for a step that is not waiting yet, and the run still starts", async () => {
    const { stepwell, app, first, second, until, cancel } = await queued();
    await expect(stepwell.runs.provide(app, second.id, "late", { ok: true })).rejects.toMatchObject({
      code: "conflict",
    });
    await cancel(first);
    await until(second.id, (run) => step(run, "work").status === "succeeded");
    await cancel(second);
  });
});

it("input that cannot be stored is rejected and can be provided again", async () => {
  const { driver } = memory(new Map());
  let writes: "go through" | "wait" | "fail" = "go through";
  let release: (() => void) | undefined;
  const entities: typeof driver = {
    ...driver,
    async setItem(...given) {
      if (writes === "wait") await new Promise<void>((resolve) => (release = resolve));
      else if (writes === "fail") throw new Error("The disk is gone.");
      await driver.setItem?.(...given);
    },
  };
  const { stepwell, app, start } = await service({ storage: { entities }, clock: quickClock(100) });
  const { id } = await start([input("in", to("one", "two", "three")), asks("one"), asks("two"), asks("three")]);
  const provide = (key: string) => stepwell.runs.provide(app, id, key, { ok: true });
  writes = "wait";
  const one = provide("one");
  await expect.poll(() => release).toBeDefined();
  const two = expect(provide("two")).rejects.toMatchObject({ code: "unavailable" });
  await turnEventLoop();
  writes = "fail";
  release?.();
  await Promise.all([one, two]);
  writes = "go through";
  expect(statuses(await provide("two"))).toMatchObject({ one: "succeeded", two: "succeeded", three: "waiting" });
});
