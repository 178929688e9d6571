/** Who makes short calls of the file system: the event loop where they are quick, threads elsewhere. */
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { createQuickCall, isOnLocalDisk } from "../../adapters/storage/fs/quick-calls.ts";

function calls(isLocal: boolean) {
  let time = 0;
  const call = createQuickCall(
    () => isLocal,
    () => time,
  );
  return (tookMs: number) =>
    call(
      () => {
        time += tookMs;
        return "event loop";
      },
      async () => "thread",
    );
}

it("the event loop makes calls on a local disk", () => {
  const call = calls(true);
  expect([call(0), call(0.5), call(0)]).toEqual(["event loop", "event loop", "event loop"]);
});

it("threads make all calls on another file system, which may hang", async () => {
  const call = calls(false);
  for (let index = 0; index < 2_000; index++) expect(call(0)).toBeInstanceOf(Promise);
  expect(await call(0)).toBe("thread");
});

it("threads make the next thousand calls after four slow ones in a row", () => {
  const call = calls(true);
  expect([call(2), call(2), call(2), call(0), call(2), call(2), call(2)]).not.toContainEqual(expect.any(Promise));
  expect(call(2)).toBe("event loop");
  for (let index = 0; index < 1_000; index++) expect(call(0)).toBeInstanceOf(Promise);
  expect(call(0)).toBe("event loop");
});

it("a call that throws on the event loop throws", () => {
  const call = createQuickCall(() => true);
  const fail = () => {
    throw new Error("no space");
  };
  expect(() => call(fail, async () => undefined)).toThrow("no space");
});

it("what is no folder is on no local disk", () => {
  expect(isOnLocalDisk(`${tmpdir()}/there is nothing here`)).toBe(false);
});

it.runIf(process.platform === "linux")("the file system of processes is no disk (Linux only: others have none)", () => {
  expect(isOnLocalDisk("/proc")).toBe(false);
});
