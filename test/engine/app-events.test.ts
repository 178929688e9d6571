/** Events between runs: waits, lookbacks, starts, and what a restart keeps of them. */
import { describe, expect, it } from "vitest";
import type { JsonObject, Options, Run, Step } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import type { Settings } from "../../src/workflows/settings.ts";
import { give, input, step, to } from "../support/engine/service.ts";
import { timedService } from "../support/engine/timed-service.ts";
import { until } from "../support/until.ts";

type Policies = Partial<Pick<Extract<Step, { type: "service" }>, "timeout" | "on_error" | "loop" | "destinations">>;

const wait = (key: string, wanted: JsonObject, more: Policies = {}): Step => ({
  ...{ type: "service", key, service: { service: "events", action: "wait", input: wanted } },
  ...more,
});
const emit = (key: string, event: JsonObject, more: Policies = {}): Step => ({
  ...{ type: "service", key, service: { service: "events", action: "emit", input: event } },
  ...more,
});

async function open(more: Options = {}) {
  const clock = createTestClock();
  const data = new Map<string, string>();
  const service = await timedService(clock, data, more);
  const on = (opened: typeof service) => {
    const { stepwell, app } = opened;
    return {
      ...opened,
      emit: (name: string, rest: JsonObject = {}) => stepwell.events.emit(app, { name, ...rest }),
      /** Waits until everything of an event is done. */
      async delivered(id: string) {
        await until(async () => (await stepwell.events.get(app, id)).delivered_at !== null);
        return stepwell.events.get(app, id);
      },
      /** Waits until the events before all waits have been read. */
      waitingRun: (run: Pick<Run, "id">) => opened.until(run.id, ({ status }) => status === "waiting"),
      runsOf: async (workflow: string) =>
        (await stepwell.runs.list(app, { workflow_id: workflow, order: "asc" })).items,
    };
  };
  return {
    ...{ ...on(service), clock, data },
    async restart() {
      await service.close();
      return on(await timedService(clock, data, more, service.app));
    },
  };
}

const waiter: Step[] = [input("in"), wait("paid", { name: "order.paid", subject: "{{ input.order }}" }), give("done")];

describe("events.wait", () => {
  it("goes on with the event of its name and subject, and gives it as output", async () => {
    const { start, emit, delivered, waitingRun, wait: ended } = await open();
    const run = await start(waiter, { order: "7" });
    await waitingRun(run);
    await delivered((await emit("order.paid", { subject: "8" })).id);
    await delivered((await emit("order.sent", { subject: "7" })).id);
    await delivered((await emit("order.paid")).id);
    expect((await waitingRun(run)).status).toBe("waiting");
    const event = await emit("order.paid", { subject: "7", payload: { total: 12 } });
    const { status, steps } = await ended(run.id);
    expect(status).toBe("succeeded");
    const { id, name, subject, payload, created_at } = event;
    expect(steps[1]?.output).toEqual({ id, name, subject, payload, created_at });
    expect(await delivered(id)).toMatchObject({ runs_resumed: 1, runs_started: [], problems: [] });
  });

  it("takes only events for which the condition holds, and none for which it cannot be evaluated", async () => {
    const { start, emit, delivered, waitingRun, wait: ended } = await open();
    const condition = "event.payload.total > input.limit";
    const run = await start([input("in"), wait("big", { name: "order.paid", condition })], { limit: 10 });
    await waitingRun(run);
    await delivered((await emit("order.paid", { payload: { total: 10 } })).id);
    await delivered((await emit("order.paid", { payload: {} })).id);
    await delivered((await emit("order.paid", { payload: { total: "many" } })).id);
    expect((await waitingRun(run)).status).toBe("waiting");
    await emit("order.paid", { payload: { total: 11 } });
    expect((await ended(run.id)).output).toMatchObject({ payload: { total: 11 } });
  });

  it("logs a condition that cannot be evaluated: to the run for each event, as a warning once", async () => {
    const logged: [string, string, unknown][] = [];
    const log = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
      void logged.push([level, message, fields?.["step"]]);
    const logger = { debug: () => {}, info: log("info"), warn: log("warn"), error: log("error") };
    const { start, emit, delivered, waitingRun, stepwell, app, wait: ended } = await open({ logger });
    const condition = "event.payload.total > input.limit";
    const run = await start([input("in"), wait("big", { name: "order.paid", condition })], { limit: 10 });
    await waitingRun(run);
    const types: string[] = [];
    const lines: string[] = [];
    const following = (async () => {
      for await (const event of stepwell.runs.events(app, run.id)) {
        types.push(event.type);
        if (event.type === "step.log") lines.push(`${event.step} ${event.lines?.join()}`);
      }
    })();
    await expect.poll(() => types).toContain("step.waiting");
    const [one, two] = [
      await emit("order.paid", { payload: {} }),
      await emit("order.paid", { payload: { total: "x" } }),
    ];
    await delivered(one.id);
    await delivered(two.id);
    const message = "the condition of a wait could not be evaluated for an event";
    expect(logged).toEqual([
      ["warn", message, "big"],
      ["info", message, "big"],
    ]);
    await emit("order.paid", { payload: { total: 11 } });
    await ended(run.id);
    await following;
    expect(lines).toEqual([
      expect.stringMatching(`^big The event ${one.id} does not match, because .*: No such key: total`),
      expect.stringMatching(
        `^big The event ${two.id} does not match, because .*: Cannot compare a string with a number`,
      ),
    ]);
  });

  it("resumes every run that waits, each once", async () => {
    const { deploy, stepwell, app, emit, delivered, waitingRun, wait: ended } = await open();
    const workflow = await deploy([input("in"), wait("go", { name: "go" })]);
    const runs = await Promise.all(Array.from({ length: 120 }, () => stepwell.runs.create(app, workflow, {})));
    for (const run of runs) await waitingRun(run);
    const event = await emit("go");
    for (const run of runs) expect((await ended(run.id)).status).toBe("succeeded");
    expect((await delivered(event.id)).runs_resumed).toBe(120);
  });

  it("gives one event to all open waits of a run, and never to a later one", async () => {
    const { start, emit, delivered, waitingRun, wait: ended } = await open();
    const again = { name: "go", lookback: 3_600 };
    const run = await start([
      input("in", to("left", "right")),
      wait("left", { name: "go" }, to("next")),
      wait("right", { name: "go" }, to("next")),
      wait("next", again),
    ]);
    await waitingRun(run);
    const first = await delivered((await emit("go")).id);
    expect(first.runs_resumed).toBe(2);
    const waiting = await waitingRun(run);
    expect(step(waiting, "next").status).toBe("waiting");
    const second = await emit("go");
    expect(step(await ended(run.id), "next").output).toMatchObject({ id: second.id });
  });

  it("does not take an event from before the step, unless lookback reaches it", async () => {
    const { clock, stepwell, app, start, emit, delivered, waitingRun, wait: ended } = await open();
    const before = await delivered((await emit("go", { payload: { before: true } })).id);
    await clock.advance("1m");
    const without = await start([input("in"), wait("go", { name: "go" })]);
    const short = await start([input("in"), wait("go", { name: "go", lookback: 30 })]);
    const long = await start([input("in"), wait("go", { name: "go", lookback: 90 })]);
    expect(step(await ended(long.id), "go").output).toMatchObject({ id: before.id });
    await expect.poll(async () => (await stepwell.events.get(app, before.id)).runs_resumed).toBe(1);
    expect((await waitingRun(without)).status).toBe("waiting");
    expect((await waitingRun(short)).status).toBe("waiting");
  });

  it("collects events in a loop, one for each iteration", async () => {
    const { start, emit, wait: ended } = await open();
    const counted = { name: "item", lookback: 60 };
    const run = await start([input("in"), wait("item", counted, { loop: "iteration >= 3" })]);
    const events = [await emit("item"), await emit("item"), await emit("item")];
    const { status, steps } = await ended(run.id);
    expect(status).toBe("succeeded");
    expect(steps[1]?.attempts).toBe(3);
    expect(steps[1]?.output).toMatchObject({ id: events[2]?.id });
  });

  it("fails with the code timeout, which a catch route can take", async () => {
    const { clock, start, waitingRun, emit, delivered, wait: ended } = await open();
    const run = await start([
      input("in", to("go")),
      wait("go", { name: "go" }, { timeout: 60, destinations: [], on_error: [{ destinations: ["late"] }] }),
      give("late", { input_connected: false }),
    ]);
    await waitingRun(run);
    await clock.advance("1m");
    const done = await ended(run.id);
    expect(step(done, "go").error).toMatchObject({
      code: "timeout",
      message: 'No event "go" that matches arrived within 60 seconds.',
    });
    expect(step(done, "late").status).toBe("succeeded");
    expect((await delivered((await emit("go")).id)).runs_resumed).toBe(0);
  });

  it("waits on after a restart, and gets what was emitted since", async () => {
    const { start, waitingRun, restart } = await open();
    const run = await start(waiter, { order: "7" });
    await waitingRun(run);
    const next = await restart();
    await next.emit("order.paid", { subject: "7" });
    expect((await next.wait(run.id)).status).toBe("succeeded");
  });

  it("is canceled with its run, and waits again after a retry", async () => {
    const { stepwell, app, start, waitingRun, emit, delivered, wait: ended } = await open();
    const run = await start(waiter, { order: "7" });
    await waitingRun(run);
    await stepwell.runs.cancel(app, run.id);
    expect((await delivered((await emit("order.paid", { subject: "8" })).id)).runs_resumed).toBe(0);
    await stepwell.runs.retry(app, run.id);
    await waitingRun(run);
    await emit("order.paid", { subject: "7" });
    expect((await ended(run.id)).status).toBe("succeeded");
  });

  it("names at deployment what it does not accept", async () => {
    const { stepwell, app, draft } = await open();
    const refused = async (wanted: JsonObject, more: JsonObject = {}) => {
      const workflow = await draft([input("in"), { ...wait("go", wanted), ...more } as Step]);
      const { errors } = await stepwell.workflows.deploy(app, workflow).then(
        () => ({ errors: [] }),
        (error: { errors: { pointer: string }[] }) => error,
      );
      return errors.map(({ pointer }) => pointer.replace("/steps/1/", ""));
    };
    expect(await refused({})).toEqual(["service/input/name"]);
    expect(await refused({ name: "no spaces" })).toEqual(["service/input/name"]);
    expect(await refused({ name: "go", subject: "" })).toEqual(["service/input/subject"]);
    expect(await refused({ name: "go", condition: "event.payload.x >" })).toEqual(["service/input/condition"]);
    expect(await refused({ name: "go", condition: "{{ event.name == 'go' }}" })).toEqual(["service/input/condition"]);
    expect(await refused({ name: "go", condition: 7 })).toEqual(["service/input/condition"]);
    expect(await refused({ name: "go", lookback: 604_801 })).toEqual(["service/input/lookback"]);
    expect(await refused({ name: "go", since: "x" })).toEqual(["service/input/since"]);
    expect(await refused({ name: "go" }, { retry: { max_attempts: 2 } })).toEqual(["retry"]);
    expect(await refused({ name: "go" }, { for_each: { items: "[1]" } })).toEqual(["for_each"]);
  });
});

describe("settings.start_on", () => {
  const starts = (settings: NonNullable<Settings["start_on"]>) => ({ settings: { start_on: settings } });
  const total = input("in", { input: { total: { type: "number" } } });

  it("starts the latest version once for each event, with the payload as input", async () => {
    const { deploy, emit, delivered, runsOf, wait: ended, get } = await open();
    const workflow = await deploy([total], starts([{ name: "order.paid" }, { name: "order.changed" }]));
    const paid = await emit("order.paid", { subject: "7", payload: { total: 12, more: true } });
    const { runs_started, problems } = await delivered(paid.id);
    expect(problems).toEqual([]);
    const [runId = ""] = runs_started;
    expect((await ended(runId)).output).toEqual({ total: 12 });
    expect((await get(runId)).trigger).toEqual({
      type: "event",
      id: paid.id,
      event: { name: "order.paid", subject: "7" },
    });
    await delivered((await emit("order.changed", { payload: { total: 13 } })).id);
    await delivered((await emit("order.sent", { payload: { total: 14 } })).id);
    expect(await runsOf(workflow)).toHaveLength(2);
  });

  it("starts only if the condition holds", async () => {
    const { deploy, emit, delivered, runsOf } = await open();
    const condition = "event.payload.total > 10 && event.subject == 'a'";
    const workflow = await deploy([total], starts([{ name: "order.paid", condition }]));
    for (const [subject, payload] of [
      ["a", { total: 10 }],
      ["b", { total: 11 }],
      ["a", {}],
    ] as const) {
      await delivered((await emit("order.paid", { subject, payload })).id);
    }
    expect(await runsOf(workflow)).toEqual([]);
    await delivered((await emit("order.paid", { subject: "a", payload: { total: 11 } })).id);
    expect(await runsOf(workflow)).toHaveLength(1);
  });

  it("logs a condition that cannot be evaluated, as a warning once", async () => {
    const logged: unknown[] = [];
    const log = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
      void logged.push([level, message, fields?.["workflow"]]);
    const logger = { debug: () => {}, info: log("info"), warn: log("warn"), error: log("error") };
    const { deploy, emit, delivered } = await open({ logger });
    const workflow = await deploy([total], starts([{ name: "order.paid", condition: "event.payload.total > 10" }]));
    await delivered((await emit("order.paid", { payload: {} })).id);
    await delivered((await emit("order.paid", { payload: {} })).id);
    const message = "a condition of start_on could not be evaluated for an event";
    expect(logged).toEqual([
      ["warn", message, workflow],
      ["info", message, workflow],
    ]);
  });

  it("says why a workflow did not start", async () => {
    const { deploy, emit, delivered } = await open();
    const workflow = await deploy([total], starts([{ name: "order.paid" }]));
    const { problems, runs_started } = await delivered((await emit("order.paid", { payload: { total: "x" } })).id);
    expect(runs_started).toEqual([]);
    expect(problems).toEqual([
      { workflow_id: workflow, code: "invalid", message: expect.stringContaining("/input/total") },
    ]);
  });

  it("no longer starts a version that another one replaced, or a deleted workflow", async () => {
    const { stepwell, app, deploy, emit, delivered } = await open();
    const replaced = await deploy([total], starts([{ name: "order.paid" }]));
    const deleted = await deploy([total], starts([{ name: "order.paid" }]));
    await stepwell.workflows.putDraft(app, replaced, { steps: [total] });
    await stepwell.workflows.deploy(app, replaced);
    await stepwell.workflows.remove(app, deleted);
    expect((await delivered((await emit("order.paid", { payload: { total: 1 } })).id)).runs_started).toEqual([]);
  });

  it("ends a chain of workflows that start each other", async () => {
    const { deploy, emit, runsOf, stepwell, app } = await open();
    const workflow = await deploy([input("in"), emit2("again")], starts([{ name: "again" }]));
    await emit("again");
    await until(async () => {
      const { items } = await stepwell.events.list(app, {});
      return items.some(({ problems }) => problems.some(({ code }) => code === "depth_limit"));
    });
    expect(await runsOf(workflow)).toHaveLength(16);
  });
  const emit2 = (name: string) => emit("emit", { name });

  it("refuses a condition that is no expression over the event", async () => {
    const { stepwell, app, draft } = await open();
    for (const condition of ["event.name ==", "input.total > 1", "run.id == ''"]) {
      const workflow = await draft([total], starts([{ name: "go", condition }]));
      const error: unknown = await stepwell.workflows.deploy(app, workflow).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ errors: [{ pointer: "/settings/start_on/0/condition" }] });
    }
  });
});

describe("events.emit", () => {
  it("emits once for each execution of its step", async () => {
    const { run, stepwell, app } = await open();
    await run([input("in"), emit("tell", { name: "told", subject: "{{ input.a }}", payload: { b: 1 } })], { a: "x" });
    const { items } = await stepwell.events.list(app, { name: "told" });
    expect(items).toMatchObject([{ name: "told", subject: "x", payload: { b: 1 } }]);
  });

  it("returns the event of a key, and refuses other content for it", async () => {
    const { emit: send } = await open();
    const first = await send("go", { key: "k", payload: { a: 1, b: 2 } });
    expect(await send("go", { key: "k", payload: { b: 2, a: 1 } })).toMatchObject({ id: first.id });
    await expect(send("go", { key: "k", payload: { a: 2 } })).rejects.toMatchObject({ code: "conflict" });
  });

  it("refuses names, subjects and payloads beyond their limits", async () => {
    const { emit: send } = await open();
    const refused = (name: string, rest: JsonObject = {}) => expect(send(name, rest)).rejects;
    await refused("").toMatchObject({ errors: [{ pointer: "/name" }] });
    await refused("a\nb").toMatchObject({ errors: [{ pointer: "/name" }] });
    await refused("go", { subject: "a\nb" }).toMatchObject({ errors: [{ pointer: "/subject" }] });
    await refused("go", { payload: { text: "x".repeat(65_536) } }).toMatchObject({ errors: [{ pointer: "/payload" }] });
  });

  it("forgets events after seven days", async () => {
    const { stepwell, app, clock, emit: send, delivered } = await open();
    const { id } = await delivered((await send("go")).id);
    await clock.advance("168h");
    await expect(stepwell.events.get(app, id)).rejects.toMatchObject({ code: "not_found" });
    expect((await stepwell.events.list(app, {})).items).toEqual([]);
  });
});
