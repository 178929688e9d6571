/** Policies of steps that a deployment rejects: each at its field, with what would be right. */
import { expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { isStepwellError } from "../../src/index.ts";
import { openService } from "../support/engine/service.ts";

const service = await openService();

async function problemsOf(...steps: object[]): Promise<readonly (readonly [string, string])[]> {
  try {
    await service.deploy(steps as Step[]);
    return [];
  } catch (error) {
    if (!isStepwellError(error, "invalid")) throw error;
    return error.errors.map(({ pointer, message }) => [pointer, message] as const);
  }
}

const code = (key: string, more: object = {}) => ({ type: "code", key, code: "give 1", ...more });
const wait = (key: string, more: object = {}) => ({
  ...{ type: "service", key, ...more },
  service: { service: "scheduler", action: "delay", input: { seconds: 1 } },
});
const ask = (key: string, more: object = {}) => ({ type: "input", key, input: {}, ...more });
const route = { destinations: ["b"] };
const link = (step_key: string) => ({
  ...{ type: "service", key: "link" },
  service: { service: "inputs", action: "create_link", input: { step_key } },
});

it.each<[string, object[], string, RegExp]>([
  [
    "loop with for_each",
    [code("a", { loop: "true", for_each: { items: "[1]" } })],
    "/steps/0/for_each",
    /Must not be combined with loop/,
  ],
  ["loop_delay alone", [code("a", { loop_delay: 1 })], "/steps/0/loop_delay", /Must be omitted without loop/],
  ["timeout of a start", [ask("a", { timeout: 5 }), code("b")], "/steps/0/timeout", /Runs start at this step/],
  ["on_error of a start", [ask("a", { on_error: [route] }), code("b")], "/steps/0/on_error", /Runs start at this step/],
  ["routes only", [code("a", { on_error: [route] }), code("b")], "/steps/0/on_error", /No step has destinations/],
  [
    "a route after one for all",
    [code("a", { destinations: ["b"], on_error: [route, route] }), code("b")],
    "/steps/0/on_error/1",
    /never reached/,
  ],
  [
    "a route to nowhere",
    [code("a", { destinations: ["b"], on_error: [{ destinations: ["c"] }] }), code("b")],
    "/steps/0/on_error/0/destinations/0",
    /no step with the key "c"/,
  ],
  [
    "a route back",
    [code("a", { destinations: ["b"] }), code("b", { on_error: [{ destinations: ["a"] }] })],
    "/steps/1",
    /form a cycle.*loop or for_each/,
  ],
  ["no routes", [code("a", { on_error: [] })], "/steps/0/on_error", /^Has no effect: it has no routes/],
  [
    "throw_on_error beside a route for all",
    [code("a", { destinations: ["b"], on_error: [route], throw_on_error: false }), code("b")],
    "/steps/0/throw_on_error",
    /catches every error/,
  ],
  ...(["initial_interval", "backoff", "max_interval"] as const).map((field): [string, object[], string, RegExp] => [
    `${field} of a single attempt`,
    [code("a", { retry: { max_attempts: 1, [field]: 2 } })],
    `/steps/0/retry/${field}`,
    /^Has no effect: with max_attempts 1, the step is never retried\. Omit it\.$/,
  ]),
  ["on of a single attempt", [code("a", { retry: { max_attempts: 1, on: "any" } })], "/steps/0/retry/on", /no effect/],
  [
    "backoff of two attempts",
    [code("a", { retry: { max_attempts: 2, backoff: 3 } })],
    "/steps/0/retry/backoff",
    /the only interval is initial_interval/,
  ],
  ["retry of a delay", [wait("a", { retry: { max_attempts: 2 } })], "/steps/0/retry", /only waits/],
  ["for_each of a delay", [wait("a", { for_each: { items: "[1]" } })], "/steps/0/for_each", /only waits/],
  ["retry of an input step", [ask("in"), ask("a", { retry: { max_attempts: 2 } })], "/steps/1/retry", /Unknown field/],
  ["timeout of a note", [{ type: "note", key: "a", note: "", timeout: 1 }], "/steps/0/timeout", /Unknown field/],
  [
    "for_each of a branch",
    [{ type: "branch", key: "a", conditions: {}, for_each: { items: "[]" } }],
    "/steps/0/for_each",
    /Unknown field/,
  ],
  ["no attempts", [code("a", { retry: { max_attempts: 0 } })], "/steps/0/retry/max_attempts", /at least 1/],
  ["21 attempts", [code("a", { retry: { max_attempts: 21 } })], "/steps/0/retry/max_attempts", /at most 20/],
  [
    "a backoff below 1",
    [code("a", { retry: { max_attempts: 2, backoff: 0.5 } })],
    "/steps/0/retry/backoff",
    /at least 1/,
  ],
  [
    "no interval",
    [code("a", { retry: { max_attempts: 2, initial_interval: 0 } })],
    "/steps/0/retry/initial_interval",
    /more than 0/,
  ],
  ["unknown errors", [code("a", { retry: { max_attempts: 2, on: "some" } })], "/steps/0/retry/on", /transient, any/],
  ["no time", [code("a", { timeout: 0 })], "/steps/0/timeout", /more than 0/],
  ["two years", [code("a", { timeout: 63_072_000 })], "/steps/0/timeout", /at most 31622400/],
  [
    "concurrency 101",
    [code("a", { for_each: { items: "[1]", concurrency: 101 } })],
    "/steps/0/for_each/concurrency",
    /at most 100/,
  ],
  ["items without a list", [code("a", { for_each: { items: "" } })], "/steps/0/for_each/items", /Must not be empty/],
  ["items that are no expression", [code("a", { for_each: { items: "[1" } })], "/steps/0/for_each/items", /./],
  [
    "items that read themselves",
    [code("a", { for_each: { items: "item" } })],
    "/steps/0/for_each/items",
    /Unknown variable: item/,
  ],
  [
    "item without for_each",
    [code("a", { conditional: "item == 1" })],
    "/steps/0/conditional",
    /Unknown variable: item/,
  ],
  [
    "error in a template",
    [code("a", { conditional: "error.code == ''" })],
    "/steps/0/conditional",
    /Unknown variable: error/,
  ],
  [
    "a route without destinations",
    [code("a", { on_error: [{ destinations: [] }] })],
    "/steps/0/on_error/0/destinations",
    /at least one/,
  ],
])("%s", async (_, steps, pointer, message) => {
  const problems = await problemsOf(...steps);
  expect(problems.map(([at]) => at)).toContain(pointer);
  expect(problems.find(([at]) => at === pointer)?.[1]).toMatch(message);
});

it("accepts all policies together, and an input that may follow another", async () => {
  expect(
    await problemsOf(
      ask("in", { destinations: ["a"] }),
      code("a", {
        destinations: ["later"],
        timeout: 5,
        retry: { max_attempts: 3, initial_interval: 1, backoff: 1, max_interval: 5, on: ["timeout"] },
        for_each: { items: "{{ [1, 2] }}", concurrency: 2, on_error: "continue" },
        on_error: [{ condition: 'error.code == "timeout"', destinations: ["later"] }],
      }),
      ask("later", { timeout: 60, on_error: [{ destinations: ["end"] }], destinations: ["end"] }),
      code("end", { loop: "iteration == 2", loop_delay: 1 }),
    ),
  ).toEqual([]);
});

it.each<[string, object[], string, RegExp]>([
  [
    "to a step that does not exist",
    [ask("start"), link("aprove"), ask("approve")],
    "/steps/1/service/input/step_key",
    /no input step with the key "aprove".*Did you mean "approve"/,
  ],
  [
    "to a step that is no input step",
    [ask("start"), code("a"), link("a")],
    "/steps/2/service/input/step_key",
    /no input step with the key "a"/,
  ],
  [
    "to the start",
    [ask("start"), link("start"), ask("approve")],
    "/steps/1/service/input/step_key",
    /Runs start at the step "start"/,
  ],
  [
    "after the answer",
    [ask("start"), ask("approve"), link("approve")],
    "/steps/2/service/input/step_key",
    /comes before this one/,
  ],
])("a link %s is rejected", async (_, steps, pointer, message) => {
  expect(await problemsOf(...steps)).toEqual([[pointer, expect.stringMatching(message)]]);
});

it.each<[string, object[]]>([
  ["before its input step", [ask("start"), link("approve"), ask("approve")]],
  ["by an expression", [ask("start"), link("{{ input.step }}"), ask("approve")]],
  ["beside its input step", [ask("start", { destinations: ["link", "approve"] }), link("approve"), ask("approve")]],
])("a link %s is accepted", async (_, steps) => {
  expect(await problemsOf(...steps)).toEqual([]);
});
