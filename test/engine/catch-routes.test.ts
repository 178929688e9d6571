/** Catch routes: which route an error takes, what the steps there see, and what the run returns. */
import { describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { fail, give, input, openService, type Service, statuses, step, to } from "../support/engine/service.ts";
import { openServer } from "../support/servers/http-server.ts";

let service: Service;
const open = async () => {
  service ??= await openService();
  return service;
};

type Routes = NonNullable<Exclude<Step, { type: "note" }>["on_error"]>;
const on = (...routes: Routes) => ({ on_error: routes });
/** A step whose output says whether an expression is true. */
const show = (key: string, expression: string): Step => ({
  type: "branch",
  key,
  conditions: { yes: { condition: expression, destinations: [], order: 0 } },
});

describe("a catch route", () => {
  it("is taken instead of the destinations, and the step stays failed", async () => {
    const { run } = await open();
    const ended = await run([
      fail("a", { ...on({ destinations: ["rescue"] }), ...to("next") }),
      give("next"),
      give("rescue"),
    ]);
    expect(ended.status).toBe("succeeded");
    expect(statuses(ended)).toEqual({ a: "failed", next: "skipped", rescue: "succeeded" });
    expect(step(ended, "a").error).toEqual({ code: "code_failed", message: "a broke" });
    expect(ended.output).toBe("rescue");
  });

  it("is not taken after success", async () => {
    const { run } = await open();
    const ended = await run([
      give("a", { ...on({ destinations: ["rescue"] }), ...to("next") }),
      give("next"),
      give("rescue"),
    ]);
    expect(statuses(ended)).toEqual({ a: "succeeded", next: "succeeded", rescue: "skipped" });
    expect(ended.output).toBe("next");
  });

  it("is chosen by conditions over the error, in order", async () => {
    const { run } = await open();
    const routes = on(
      { condition: 'error.code == "timeout"', destinations: ["late"] },
      { condition: 'error.message.contains("broke") && error.attempts == 2', destinations: ["broken"] },
      { destinations: ["other"] },
    );
    const steps = [
      fail("a", { ...routes, ...to("next"), retry: { max_attempts: 2, initial_interval: 0.01 } }),
      ...["next", "late", "broken", "other"].map((key) => give(key)),
    ];
    expect(statuses(await run(steps))).toEqual({
      ...{ a: "failed", next: "skipped", late: "skipped", broken: "succeeded", other: "skipped" },
    });
  });

  it("that matches nothing leaves the decision to throw_on_error", async () => {
    const { run } = await open();
    const routes = on({ condition: 'error.code == "timeout"', destinations: ["late"] });
    const steps = (more: object) => [fail("a", { ...routes, ...more, ...to("next") }), give("next"), give("late")];
    expect((await run(steps({}))).error).toMatchObject({ code: "code_failed", step: "a" });
    expect(statuses(await run(steps({ throw_on_error: false })))).toEqual({
      ...{ a: "failed", next: "succeeded", late: "skipped" },
    });
  });

  it("whose condition cannot be evaluated fails the run with the error of the step, and says so", async () => {
    const { run } = await open();
    const ended = await run([
      fail("a", { ...on({ condition: "error.nothing == 1", destinations: ["b"] }), ...to("c") }),
      give("b"),
      give("c"),
    ]);
    expect(ended.error).toMatchObject({ code: "code_failed", step: "a" });
    expect(ended.error?.message).toMatch(
      /^a broke.* \(No on_error route caught it, and one could not be evaluated: .*No such key: nothing/,
    );
  });

  it("whose condition cannot be evaluated leaves the error to the next one", async () => {
    const { run } = await open();
    const routes = on({ condition: "error.status == 402", destinations: ["b"] }, { destinations: ["c"] });
    const ended = await run([fail("a", { ...routes, ...to("d") }), give("b"), give("c"), give("d")]);
    expect(statuses(ended)).toEqual({ a: "failed", b: "skipped", c: "succeeded", d: "skipped" });
  });

  it("joins with the ordinary path, where the error can be read", async () => {
    const { run } = await open();
    const ended = await run([
      fail("a", { ...on({ destinations: ["b"] }), ...to("join") }),
      give("b", to("join")),
      show("join", 'steps.a.error.code == "code_failed" && steps.a.error.attempts == 1 && steps.b.output == "b"'),
    ]);
    expect(ended.output).toEqual({ taken: "yes" });
  });

  it("catches an error in the step's own expressions, and of a branch", async () => {
    const { run } = await open();
    const bad = await run([
      give("a", { conditional: "input.missing", ...on({ destinations: ["b"] }), ...to("c") }),
      give("b"),
      give("c"),
    ]);
    expect(statuses(bad)).toEqual({ a: "failed", b: "succeeded", c: "skipped" });
    const branch = await run([
      { ...show("a", "input.missing"), ...on({ condition: 'error.code == "expression_failed"', destinations: ["b"] }) },
      give("b"),
      give("other", { destinations: ["a"] }),
    ] as Step[]);
    expect(statuses(branch)).toMatchObject({ a: "failed", b: "succeeded" });
  });

  it("leads to output by key where there are several leaves", async () => {
    const { run } = await open();
    const ended = await run([
      give("start", to("x", "a")),
      give("x"),
      fail("a", { ...on({ destinations: ["rescue"] }), ...to("y") }),
      give("y"),
      give("rescue"),
    ]);
    expect(ended.output).toEqual({ x: "x", rescue: "rescue" });
  });

  it("gives the output of the step that failed nowhere else", async () => {
    const { run } = await open();
    const ended = await run([give("start", to("a")), fail("a", on({ destinations: ["rescue"] })), give("rescue")]);
    expect(ended.output).toBe("rescue");
  });

  it("can itself fail, and be caught again", async () => {
    const { run } = await open();
    const ended = await run([
      fail("a", { ...on({ destinations: ["b"] }), ...to("x") }),
      fail("b", on({ destinations: ["c"] })),
      give("c"),
      give("x"),
    ]);
    expect(statuses(ended)).toEqual({ a: "failed", b: "failed", c: "succeeded", x: "skipped" });
  });

  it("of an input that nobody gives leads to a reminder", async () => {
    const { start, wait, stepwell, app, until } = await open();
    const steps: Step[] = [
      input("in", to("ask")),
      { type: "input", key: "ask", input: {}, timeout: 0.02, ...on({ destinations: ["remind"] }), ...to("done") },
      give("remind", to("again")),
      { type: "input", key: "again", input: {}, ...to("done") },
      give("done"),
    ];
    const { id } = await start(steps);
    await until(id, (run) => step(run, "again").status === "waiting");
    await stepwell.runs.provide(app, id, "again", {});
    expect(statuses(await wait(id))).toEqual({
      ...{ in: "succeeded", ask: "failed", remind: "succeeded", again: "succeeded", done: "succeeded" },
    });
  });
});

it("the error of an HTTP request has status, headers and body", async () => {
  const server = await openServer(() => ({
    status: 422,
    headers: { "content-type": "application/json", "x-reason": "why", "set-cookie": "session=secret" },
    body: JSON.stringify({ problem: { code: 7 } }),
  }));
  try {
    const service = await openService({ net: server.net });
    const ended = await service.run([
      {
        ...{ type: "http_request", key: "call", url: server.url, destinations: ["no"] },
        on_error: [
          { condition: "error.status == 422 && error.body.problem.code == 7", destinations: ["yes"] },
          { destinations: ["no"] },
        ],
      } as Step,
      show("yes", 'steps.call.error.headers["x-reason"] == "why"'),
      give("no"),
    ]);
    expect(ended.output).toEqual({ taken: "yes" });
    const { error } = step(ended, "call");
    expect(error).toMatchObject({ code: "http_status", status: 422, body: { problem: { code: 7 } } });
    expect(JSON.stringify(error)).not.toContain("secret");
    await service.stepwell.close();
  } finally {
    await server.close();
  }
});

it("the route of a caught loop is kept when the run is retried", async () => {
  const { run, stepwell, app, wait } = await open();
  const poll = fail("poll", { ...on({ condition: 'run.id != ""', destinations: ["b"] }), ...to("x") });
  const failed = await run([{ ...poll, loop: "steps.poll.output == 1" } as Step, fail("b"), give("x")]);
  await stepwell.runs.retry(app, failed.id);
  expect(statuses(await wait(failed.id))).toEqual({ poll: "failed", b: "failed", x: "skipped" });
});

it("a caught error stays caught when the run is retried", async () => {
  const { run, stepwell, app, wait } = await open();
  const failed = await run([fail("a", { ...on({ destinations: ["b"] }), ...to("x") }), fail("b"), give("x")]);
  expect(failed.error?.step).toBe("b");
  await stepwell.runs.retry(app, failed.id);
  const again = await wait(failed.id);
  expect(statuses(again)).toEqual({ a: "failed", b: "failed", x: "skipped" });
  expect([step(again, "a").attempts, again.error?.step]).toEqual([1, "b"]);
});
