/** Input that is provided while a run is being stored: it is acknowledged only if the stored run has it. */
import { afterEach, describe, expect, it } from "vitest";
import type { JsonValue, Options, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { memory } from "../support/engine/memory.ts";
import { give, input, openService, type Service, scripted, step, to } from "../support/engine/service.ts";
import { turnEventLoop } from "../support/event-loop.ts";

const releases: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of releases.splice(0)) await close();
});

const hold = { type: "code", key: "hold", code: "hold" } as const;
const question = (key: string) => input(key, { input: { answer: { type: "number" } } });

/** A service whose storage blocks while a test holds it, and from the outcome of a step with the code `hold` on. */
async function slowStorage(data = new Map<string, string>(), options: Options = {}) {
  const storage = memory(data);
  const sandbox = scripted({
    hold() {
      storage.hold();
      return "held";
    },
  });
  const service = await openService({ storage: { entities: storage.driver }, sandbox, ...options });
  releases.push(async () => {
    storage.release();
    await service.stepwell.close();
  });
  return { service, ...storage };
}

/** Provides an answer and returns what happens: `acknowledged`, or the code of the error. */
function answer({ stepwell, app }: Service, runId: string, key: string, value: JsonValue = 7): Promise<string> {
  return stepwell.runs.provide(app, runId, key, { answer: value }).then(
    () => "acknowledged",
    ({ code }: { code: string }) => code,
  );
}

/** Starts a run, and answers its step `form` while the storage blocks on the outcome of its step `hold`. */
async function answerWhileHeld(
  { service, held }: Awaited<ReturnType<typeof slowStorage>>,
  ...more: readonly Step[]
): Promise<{ id: string; answered: Promise<string> }> {
  const { id } = await service.start([input("in", to("hold", "form")), hold, question("form"), ...more]);
  await held();
  const answered = answer(service, id, "form");
  await turnEventLoop();
  return { id, answered };
}

/** Opens the same storage in the next process. */
async function reopen(data: Map<string, string>, { app }: Service): Promise<Service> {
  const next = await openService({ storage: { entities: memory(data).driver } }, app);
  releases.push(next.stepwell.close);
  return next;
}

describe("a run that is canceled while its last answer is being stored", () => {
  it("keeps the answer, and succeeds at once when it is retried", async () => {
    const slow = await slowStorage();
    const { service } = slow;
    const { id, answered } = await answerWhileHeld(slow);
    const canceled = service.stepwell.runs.cancel(service.app, id);
    await turnEventLoop();
    slow.release();
    expect([await answered, (await canceled).status]).toEqual(["acknowledged", "canceled"]);
    await service.stepwell.runs.retry(service.app, id);
    const { steps } = await service.until(id, ({ status }) => status === "succeeded");
    expect(steps.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
  });
});

describe("runs.provide while the end of the run is being stored", () => {
  it("rejects with conflict if a caller cancels the run", async () => {
    const { service, held, release, hold } = await slowStorage();
    const { id } = await service.start([input("in"), question("form"), give("after")]);
    await service.until(id, ({ status }) => status === "waiting");
    hold();
    const canceled = service.stepwell.runs.cancel(service.app, id);
    await held();
    const answered = answer(service, id, "form");
    await turnEventLoop();
    release();
    expect((await canceled).status).toBe("canceled");
    expect(await answered).toBe("conflict");
    expect(step(await service.get(id), "form")).toMatchObject({ status: "canceled", output: null });
  });

  it("rejects with conflict if a parallel step has failed", async () => {
    let stop: () => void = () => undefined;
    const sandbox = scripted({
      stop: () =>
        new Promise((_, reject) => {
          stop = () => reject(new Error("stopped"));
        }),
    });
    const { service, held, release, hold } = await slowStorage(undefined, { sandbox });
    const start = input("in", to("work", "form"));
    const { id } = await service.start([start, { type: "code", key: "work", code: "stop" }, question("form")]);
    await service.until(id, (run) => step(run, "form").status === "waiting");
    hold();
    stop();
    await held();
    const answered = answer(service, id, "form");
    await turnEventLoop();
    release();
    expect(await answered).toBe("conflict");
    const run = await service.get(id);
    expect([run.status, step(run, "form").status]).toEqual(["failed", "canceled"]);
  });

  it("rejects with conflict if the failure of a parallel step is about to be stored", async () => {
    let stop: () => void = () => undefined;
    const storage = memory(new Map());
    const sandbox = scripted({
      hold() {
        storage.hold();
        return "held";
      },
      stop: () =>
        new Promise((_, reject) => {
          stop = () => reject(new Error("stopped"));
        }),
    });
    const { service } = await slowStorage(undefined, { sandbox, storage: { entities: storage.driver } });
    const steps = [hold, { type: "code", key: "work", code: "stop" } as const, question("form")];
    const { id } = await service.start([input("in", to("hold", "work", "form")), ...steps]);
    await storage.held();
    stop();
    await turnEventLoop();
    const answered = answer(service, id, "form");
    await turnEventLoop();
    storage.release();
    expect(await answered).toBe("conflict");
    const run = await service.get(id);
    expect([run.status, step(run, "form").status]).toEqual(["failed", "canceled"]);
  });

  it("acknowledges an answer that the same commit stores", async () => {
    const { service, held, release } = await slowStorage();
    const { id } = await service.start([input("in", to("hold", "form")), hold, question("form"), question("other")]);
    await held();
    const answered = answer(service, id, "form");
    const canceled = service.stepwell.runs.cancel(service.app, id);
    await turnEventLoop();
    release();
    expect(await answered).toBe("acknowledged");
    expect((await canceled).status).toBe("canceled");
    expect(step(await service.get(id), "form")).toMatchObject({ status: "succeeded", output: { answer: 7 } });
  });
});

describe("runs.provide while the process closes", () => {
  it("rejects with unavailable if the storage takes longer than the process waits for steps", async () => {
    const data = new Map<string, string>();
    const clock = createTestClock();
    const storage = await slowStorage(data, { clock });
    const { service, release } = storage;
    const { id, answered } = await answerWhileHeld(storage);
    const closed = service.stepwell.close();
    await clock.advance("10s");
    expect(await answered).toBe("unavailable");
    release();
    await closed;

    const next = await reopen(data, service);
    const run = await next.until(id, ({ status }) => status === "waiting");
    expect([step(run, "hold").status, step(run, "form").status]).toEqual(["succeeded", "waiting"]);
  });

  it("rejects with unavailable if the commit that holds the answer takes longer", async () => {
    const clock = createTestClock();
    const { service, held, release, hold } = await slowStorage(undefined, { clock });
    const { id } = await service.start([input("in"), question("form"), give("after")]);
    await service.until(id, ({ status }) => status === "waiting");
    hold();
    const answered = answer(service, id, "form");
    await held();
    const closed = service.stepwell.close();
    await clock.advance("10s");
    expect(await answered).toBe("unavailable");
    release();
    await closed;
  });

  it("acknowledges an answer that is stored while the process waits", async () => {
    const data = new Map<string, string>();
    const storage = await slowStorage(data);
    const { service, release } = storage;
    const { id, answered } = await answerWhileHeld(storage, question("other"));
    const closed = service.stepwell.close();
    await turnEventLoop();
    release();
    expect(await answered).toBe("acknowledged");
    await closed;
    const next = await reopen(data, service);
    expect(step(await next.get(id), "form")).toMatchObject({ status: "succeeded", output: { answer: 7 } });
  });
});
