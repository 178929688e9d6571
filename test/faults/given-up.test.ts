/** A run whose storage stopped responding: waiting for it fails until the run resumes. */
import { describe, expect, it } from "vitest";
import type { Driver } from "../../src/ports/driver.ts";
import { quickClock } from "../support/engine/quick-clock.ts";
import { give, input, openService, scripted } from "../support/engine/service.ts";
import { faultyDriver } from "../support/storage/faulty.ts";

/** Storage that can be disconnected and reconnected. */
function unpluggable() {
  const { driver } = faultyDriver(new Map(), "rejects", 0);
  const state = { isGone: false };
  const plugged = new Proxy(driver, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || name === "dispose") return member;
      return async (...given: readonly unknown[]) => {
        if (state.isGone) throw new Error("the storage is gone");
        return Reflect.apply(member, target, given);
      };
    },
  });
  return { driver: plugged satisfies Driver, state };
}

const UNAVAILABLE = { code: "unavailable", status: 503 };

describe("a run whose storage fails", () => {
  it("rejects waiting callers with unavailable, and resumes by itself once the storage responds", async () => {
    const { driver, state } = unpluggable();
    let finish: (value: unknown) => void = () => undefined;
    const held = new Promise((resolve) => {
      finish = resolve;
    });
    const sandbox = scripted({ hold: () => held });
    const { start, wait, stepwell, app, until } = await openService({
      storage: { entities: driver },
      clock: quickClock(),
      sandbox,
    });
    const { id } = await start([input("in"), { type: "code", key: "a", code: "hold" }, give("b")]);
    const first = wait(id);
    await until(id, ({ steps }) => steps[1]?.status === "running");
    state.isGone = true;
    finish("held");
    await expect(first).rejects.toMatchObject(UNAVAILABLE);

    await expect(stepwell.runs.wait(app, id, { timeoutMs: 5_000 })).rejects.toMatchObject(UNAVAILABLE);

    state.isGone = false;
    await until(id, ({ finished_at }) => finished_at !== null);
    expect(await wait(id)).toMatchObject({ status: "succeeded", output: "b" });
    await stepwell.close();
  });
});
