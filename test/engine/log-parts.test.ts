/** Which attempts, items and repetitions wrote the lines of a log. */
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineService, RetryableError, type Step } from "../../src/index.ts";
import { openService } from "../support/engine/service.ts";

/** Fails until the attempt `until`, and logs each one. */
function talking() {
  const tried = new Map<string, number>();
  return defineService({
    name: "talk",
    actions: {
      say: {
        input: v.object({ name: v.string(), until: v.number() }),
        output: v.number(),
        run({ name, until }, { log }) {
          const attempt = (tried.get(name) ?? 0) + 1;
          tried.set(name, attempt);
          log(`${name} ${attempt}a`);
          log(`${name} ${attempt}b`);
          if (attempt < until) throw new RetryableError("Not yet.");
          return attempt;
        },
      },
    },
  });
}

const say = (input: object, more: object = {}): Step =>
  ({ type: "service", key: "say", service: { service: "talk", action: "say", input }, ...more }) as Step; // a service step

const RETRY = { retry: { max_attempts: 3, initial_interval: 0.001, backoff: 1 } };

async function logOf(...steps: Step[]) {
  const { stepwell, app, deploy, wait } = await openService({ services: [talking()] });
  const run = await wait((await stepwell.runs.create(app, await deploy(steps))).id);
  const step = run.steps.at(-1);
  const details = await stepwell.runs.getStep(app, run.id, "say");
  expect(details.log_parts).toEqual(step?.log_parts);
  const short = (await stepwell.runs.get(app, run.id, { preview: 4 })).steps.at(-1);
  expect([short?.omitted, short?.log_parts]).toEqual([["logs"], undefined]);
  return { logs: step?.logs, parts: step?.log_parts };
}

describe("the parts of a log", () => {
  it("are absent if the first attempt wrote all of it", async () => {
    expect(await logOf(say({ name: "x", until: 1 }))).toEqual({ logs: ["x 1a", "x 1b"], parts: undefined });
  });

  it("name each attempt, and no line of an attempt is lost", async () => {
    const { logs, parts } = await logOf(say({ name: "x", until: 3 }, RETRY));
    expect(logs).toEqual(["x 1a", "x 1b", "x 2a", "x 2b", "x 3a", "x 3b"]);
    expect(parts).toEqual([1, 2, 3].map((attempt) => ({ lines: 2, attempt })));
  });

  it("name the items of a list, and their attempts", async () => {
    const items = { for_each: { items: '["x", "y"]', concurrency: 1 } };
    const { logs, parts } = await logOf(say({ name: "{{ item }}", until: 2 }, { ...items, ...RETRY }));
    expect(logs).toHaveLength(8);
    expect(parts).toEqual([0, 1].flatMap((item) => [1, 2].map((attempt) => ({ lines: 2, attempt, item }))));
  });

  it("name the repetitions of a loop", async () => {
    const { logs, parts } = await logOf(say({ name: "x", until: 1 }, { loop: "output == 3" }));
    expect(logs).toEqual(["x 1a", "x 1b", "x 2a", "x 2b", "x 3a", "x 3b"]);
    expect(parts).toEqual([0, 1, 2].map((item) => ({ lines: 2, attempt: 1, item })));
  });

  it("are those of an item or a repetition where only it is read", async () => {
    const { stepwell, app, deploy, wait } = await openService({ services: [talking()] });
    const each = say({ name: "{{ item }}", until: 2 }, { for_each: { items: '["x", "y"]', concurrency: 1 }, ...RETRY });
    const loop = { ...say({ name: "z", until: 1 }, { loop: "output == 2" }), key: "loop" };
    const run = await wait((await stepwell.runs.create(app, await deploy([each, loop]))).id);
    const { logs, log_parts } = await stepwell.runs.getStep(app, run.id, "say", { item: 1 });
    expect(logs).toEqual(["y 1a", "y 1b", "y 2a", "y 2b"]);
    expect(log_parts).toEqual([1, 2].map((attempt) => ({ lines: 2, attempt, item: 1 })));
    const repetition = await stepwell.runs.getStep(app, run.id, "loop", { item: 1 });
    expect(repetition.logs).toEqual(["z 2a", "z 2b"]);
  });

  it("stay with a step that a retry of the run keeps", async () => {
    const { stepwell, app, deploy, wait } = await openService({ services: [talking()] });
    const broken: Step = { type: "code", key: "broken", code: "fail broke" };
    const run = await wait(
      (await stepwell.runs.create(app, await deploy([say({ name: "x", until: 2 }, RETRY), broken]))).id,
    );
    expect(run.status).toBe("failed");
    await stepwell.runs.retry(app, run.id);
    const retried = await wait(run.id);
    expect(retried.steps[0]?.log_parts).toEqual([1, 2].map((attempt) => ({ lines: 2, attempt })));
    expect(retried.steps[0]?.logs).toEqual(run.steps[0]?.logs);
  });
});
