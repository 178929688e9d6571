/** Workflows with everything that a crash can interrupt: branches, joins, loops, child runs, waits, retries. */
import type { JsonObject, Step, StepOf } from "../../../src/index.ts";
import { branch, input, type Service, to } from "../../support/engine/service.ts";
import { workGraphs } from "./work-graphs.ts";

type More = Partial<Omit<StepOf<"http_request">, "type" | "key">> & { path?: string };

const ask = (key: string, more: Partial<StepOf<"input">> = {}) =>
  input(key, { input: { answer: { type: "string" } }, ...more });

const event = (key: string, action: "emit" | "wait", given: JsonObject, more: ReturnType<typeof to>): Step => ({
  ...{ type: "service", key, service: { service: "events", action, input: given } },
  ...more,
});

/** Paths with special responses of the server. */
export const FLAKY = "/flaky"; // for steps with the key "flaky"
export const REFUSED = "/refused";
export const LARGE = "/large";

/** A request to the server that counts requests. */
export type Call = (key: string, more?: More) => Step;

/** Executes a step three times. */
export const LOOPED = { loop: "iteration == 3" };

/** @param url The URL of the server that counts requests. */
export async function deployGraphs(service: Service, url: string): Promise<ReadonlyMap<string, string>> {
  const call: Call = (key, { path = `/${key}`, ...more } = {}) => ({
    method: "POST",
    body: "{{ json(input) }}",
    ...more,
    type: "http_request",
    key,
    url: url + path,
  });
  const child = (workflow_id: string, more: Partial<StepOf<"workflow">> = {}): Step => ({
    type: "workflow",
    key: "child",
    workflow_id,
    input: { n: 7 },
    ...more,
  });

  const leaf = await service.deploy([input("in"), call("leaf"), call("flaky", { path: FLAKY })]);
  const middle = await service.deploy([input("in"), child(leaf), call("after")]);
  const limited = await service.deploy([input("in"), call("limited")], {
    settings: { concurrency: { limit: 2 }, rate_limit: { limit: 2, period: 0.2 }, priority: "input.n" },
  });
  const graphs: Readonly<Record<string, readonly Step[]>> = {
    ...(await workGraphs(service, { url, call, leaf })),
    "a branch and a join": [
      input("in", to("fork")),
      branch("fork", { many: ["input.n > 1", "left"], few: ["true", "right"] }),
      call("left", to("join")),
      call("right", to("join")),
      call("beside", { path: LARGE, ...to("join"), input_connected: true }),
      call("join", { body: "{{ json(steps.left.output.body) }} {{ json(steps.right.status) }}" }),
    ],
    "a loop and a retry": [
      input("in"),
      call("again", { loop: "iteration == 4", body: "{{ iteration }} {{ json(previous) }}" }),
      call("flaky", { path: FLAKY }),
      call("after", { body: "{{ json(steps.again.output.body) }}" }),
    ],
    "nested child runs": [input("in"), child(middle, { loop: "iteration == 2" }), call("after")],
    "input steps in the middle": [
      input("in", to("first", "flaky")),
      call("flaky", { path: FLAKY, ...to("end") }),
      call("first", to("ask")),
      ask("ask", to("then")),
      call("then", { ...to("second"), body: "{{ steps.ask.output.answer }}" }),
      ask("second", to("end")),
      call("end"),
    ],
    "items of a list": [
      input("in"),
      call("each", { for_each: { items: "[1, 2, 3, 4, 5]", concurrency: 2 }, body: "{{ item }}" }),
      call("some", {
        ...{ path: REFUSED, body: "{{ item }}", retry: { max_attempts: 2, initial_interval: 0.01, on: "any" } },
        for_each: { items: "[1, 2, 3]", concurrency: 3, on_error: "continue" },
      }),
      child(leaf, { for_each: { items: "steps.each.output.map(x, x.status)", concurrency: 2 } }),
      call("after", { body: "{{ steps.some.errors.map(e, e.index) }}" }),
    ],
    "child runs with limits": [
      input("in"),
      child(limited, { for_each: { items: "[1, 2, 3, 4]", concurrency: 4 }, input: { n: "{{ item }}" } }),
      call("after"),
    ],
    "events between steps": [
      input("in", to("first", "hear", "asks")),
      call("first", to("tell")),
      event("tell", "emit", { name: "told", subject: "{{ run.id }}", payload: { n: 1 } }, to("end")),
      event("hear", "wait", { name: "told", subject: "{{ run.id }}", condition: "event.payload.n == 1" }, to("then")),
      call("then", { body: "{{ steps.hear.output.payload }}", ...to("again") }),
      event("again", "wait", { name: "asked", subject: "{{ run.id }}", lookback: 60 }, to("end")),
      call("asks", to("ask")),
      event("ask", "emit", { name: "asked", subject: "{{ run.id }}" }, to("end")),
      call("end", { body: "{{ steps.again.output.name }}" }),
    ],
    "errors that are caught": [
      input("in", to("hard")),
      call("hard", {
        ...{ path: REFUSED, retry: { max_attempts: 2, initial_interval: 1.01, on: ["http_status"] } },
        ...{ on_error: [{ condition: "error.status == 418", destinations: ["flaky"] }], ...to("never") },
      }),
      call("never"),
      call("flaky", { path: FLAKY, body: "{{ steps.hard.error.body }}", ...to("some") }),
      call("some", {
        ...{ path: REFUSED, body: "{{ item }}", for_each: { items: "[1, 2]" } },
        ...{ on_error: [{ destinations: ["again"] }], ...to("never") },
      }),
      call("again", { loop: "iteration == 3", loop_delay: 0.01 }),
    ],
    "a tolerated failure and a fatal one": [
      input("in"),
      call("soft", { path: REFUSED, throw_on_error: false }),
      call("after", { body: "{{ steps.soft.error.code }}" }),
      call("hard", { path: REFUSED }),
      call("never"),
    ],
  };
  const ids = new Map<string, string>();
  for (const [name, steps] of Object.entries(graphs)) ids.set(name, await service.deploy(steps));
  return ids;
}
