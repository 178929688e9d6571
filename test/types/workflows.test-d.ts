/** Types that follow from a literal definition: the input and the output of its runs. */

import * as v from "valibot";
import { describe, expectTypeOf, it } from "vitest";
import type { HttpRequestOutput, JsonObject, JsonValue, Run, StepOf, WorkflowId } from "../../src/index.ts";
import { createStepwell, defineService, defineWorkflow } from "../../src/index.ts";

const shop = defineService({
  name: "shop",
  actions: {
    price: {
      input: v.object({ article: v.string() }),
      output: v.object({ cents: v.number() }),
      run: () => ({ cents: 1 }),
    },
  },
});
const stepwell = createStepwell({ services: [shop] });
const { workflows, runs } = stepwell;

const CODE = { type: "code", key: "a", code: "return 1" } as const;
const NUMBER = { type: "code", key: "n", code: "return 1", output: { type: "number" } } as const;
const PRICE = {
  type: "service",
  key: "p",
  service: { service: "shop", action: "price", input: { article: "x" } },
} as const;

/** The output of the runs of a new workflow. */
declare function outputOf<Output>(workflow: Promise<{ id: WorkflowId<unknown, Output> }>): Promise<Output>;

describe("the output of a run", () => {
  it("is the output that the last step of a chain declares", () => {
    const chain = workflows.create("app", { name: "W", steps: [CODE, NUMBER] });
    expectTypeOf(outputOf(chain)).resolves.toEqualTypeOf<number>();
  });

  it("flows from the workflow through the run", async () => {
    const workflow = await workflows.create("app", { name: "W", steps: [NUMBER] });
    const run = await runs.create("app", workflow.id);
    expectTypeOf(run.output).toEqualTypeOf<number | null>();
    const ended = await runs.wait("app", run.id);
    expectTypeOf(ended.output).toEqualTypeOf<number | null>();
    expectTypeOf((await runs.get("app", run.id)).output).toEqualTypeOf<number | null>();
    expectTypeOf((await runs.retry("app", run.id)).output).toEqualTypeOf<number | null>();
    expectTypeOf((await runs.replay("app", run.id, { from_step: "n" })).output).toEqualTypeOf<number | null>();
    expectTypeOf((await runs.cancel("app", run.id)).id).toExtend<string>();
  });

  it("is the output of an action of a service that createStepwell knows", () => {
    expectTypeOf(outputOf(workflows.create("app", { name: "W", steps: [PRICE] }))).resolves.toEqualTypeOf<{
      cents: number;
    }>();
  });

  it("is a list for a step with for_each, with null for failed items if they are tolerated", () => {
    const each = workflows.create("app", { name: "W", steps: [{ ...PRICE, for_each: { items: "input.list" } }] });
    expectTypeOf(outputOf(each)).resolves.toEqualTypeOf<{ cents: number }[]>();
    const tolerant = workflows.create("app", {
      name: "W",
      steps: [{ ...NUMBER, for_each: { items: "input.list", on_error: "continue" } }],
    });
    expectTypeOf(outputOf(tolerant)).resolves.toEqualTypeOf<(number | null)[]>();
  });

  it("is that of the only step of a graph that leads to no other", () => {
    const graph = workflows.create("app", {
      name: "W",
      steps: [
        { type: "note", key: "why", note: "" },
        { ...NUMBER, key: "first", destinations: ["p"] },
        { ...PRICE, destinations: [] },
      ],
    });
    expectTypeOf(outputOf(graph)).resolves.toEqualTypeOf<{ cents: number }>();
  });

  it("is any JSON if several steps could give it", () => {
    const both = workflows.create("app", {
      name: "W",
      steps: [{ ...CODE, destinations: ["n", "p"] }, NUMBER, PRICE],
    });
    expectTypeOf(outputOf(both)).resolves.toEqualTypeOf<JsonValue>();
    const caught = workflows.create("app", {
      name: "W",
      steps: [{ ...CODE, destinations: ["n"], on_error: [{ destinations: ["p"] }] }, NUMBER, PRICE],
    });
    expectTypeOf(outputOf(caught)).resolves.toEqualTypeOf<JsonValue>();
  });

  it("is an object by JSON Schema", () => {
    const invoice = workflows.create("app", {
      name: "W",
      steps: [
        {
          ...CODE,
          output: {
            type: "object",
            properties: {
              number: { type: "string" },
              state: { enum: ["open", "paid"] },
              lines: { type: "array", items: { type: "object", properties: { cents: { type: "integer" } } } },
              note: { type: ["string", "null"] },
              tax: { anyOf: [{ type: "number" }, { const: "none" }] },
            },
            required: ["number", "state", "lines", "tax"],
          },
        },
      ],
    });
    expectTypeOf(outputOf(invoice)).resolves.toEqualTypeOf<{
      number: string;
      state: "open" | "paid";
      lines: { cents?: number }[];
      tax: number | "none";
      note?: string | null;
    }>();
  });

  it("has the shape of its step type", () => {
    const get = workflows.create("app", {
      name: "W",
      steps: [{ type: "http_request", key: "h", url: "https://example.com" }],
    });
    expectTypeOf(outputOf(get)).resolves.toEqualTypeOf<HttpRequestOutput>();
    const ask = workflows.create("app", {
      name: "W",
      steps: [
        {
          type: "model",
          key: "m",
          provider: {
            provider: "p",
            model: "m",
            messages: "Hello",
            response_format: {
              type: "json_schema",
              schema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
            },
          },
        },
      ],
    });
    expectTypeOf(outputOf(ask)).resolves.toHaveProperty("object").toEqualTypeOf<{ ok: boolean }>();
  });

  it("is any JSON if shared steps, factories or variables decide it", () => {
    const shared = [CODE, { ...CODE, key: "b" }];
    expectTypeOf(
      outputOf(workflows.create("app", { name: "W", steps: [...shared, NUMBER] })),
    ).resolves.toEqualTypeOf<JsonValue>();
    const leaf = (key: string) => ({ ...NUMBER, key });
    const graph = workflows.create("app", {
      name: "W",
      steps: [{ ...CODE, destinations: ["b", "c"] }, leaf("b"), leaf("c")],
    });
    expectTypeOf(outputOf(graph)).resolves.toEqualTypeOf<JsonValue>();
    const destinations: string[] = ["b"];
    const led = workflows.create("app", { name: "W", steps: [{ ...CODE, destinations }, leaf("b")] });
    expectTypeOf(outputOf(led)).resolves.toEqualTypeOf<JsonValue>();
    type Each = NonNullable<StepOf<"code">["for_each"]>;
    const for_each: Each = { items: "input.list" };
    const each = workflows.create("app", { name: "W", steps: [{ ...NUMBER, for_each }] });
    expectTypeOf(outputOf(each)).resolves.toEqualTypeOf<(number | null)[]>();
    const some: { for_each?: Each } = {};
    const perhaps = workflows.create("app", { name: "W", steps: [{ ...NUMBER, ...some }] });
    expectTypeOf(outputOf(perhaps)).resolves.toEqualTypeOf<number | (number | null)[]>();
  });

  it("is any JSON for ids and definitions that are only known at run time", async () => {
    expectTypeOf(await runs.create("app", "work_1")).toEqualTypeOf<Run>();
    expectTypeOf(await runs.wait("app", "run_1", { timeoutMs: 1 })).toEqualTypeOf<Run>();
    const known: WorkflowId<{ n: number }, string> = "work_1";
    expectTypeOf((await runs.create("app", known, { input: { n: 1 } })).output).toEqualTypeOf<string | null>();
  });
});

describe("the input of a run", () => {
  it("has the fields of the workflow and of its first input step", async () => {
    const workflow = await workflows.create("app", {
      name: "W",
      input: {
        note: { type: "string", optional: true },
        size: { type: "number", default: 1 },
        help: { type: "content" },
      },
      steps: [
        {
          type: "input",
          key: "start",
          input: {
            n: { type: "number" },
            kind: { type: "select", options: [{ value: "a" }, { value: "b" }] },
            tags: { type: "string", array: true },
            scan: { type: "file" },
            address: { type: "object", fields: { city: { type: "string" } } },
          },
        },
        { type: "input", key: "later", input: { more: { type: "string" } } },
      ],
    });
    const { id } = workflow;
    const input = { n: 1, kind: "a", tags: ["x"], scan: "file_1", address: { city: "Berlin" } } as const;
    () => runs.create("app", id, { input, tags: ["a"] });
    () => runs.create("app", id, { input: { ...input, note: null, size: 2, scan: [{ file_id: "file_1" }] } });
    // @ts-expect-error: no input
    () => runs.create("app", id);
    // @ts-expect-error: no such kind
    () => runs.create("app", id, { input: { ...input, kind: "c" } });
    const chosen = await workflows.create("app", {
      name: "W",
      input: { kind: { type: "select", options: [{ value: "a" }] } },
    });
    // @ts-expect-error: no such kind
    () => runs.create("app", chosen.id, { input: { kind: "c" } });
    // @ts-expect-error: no number
    () => runs.create("app", id, { input: { ...input, n: "many" } });
    // @ts-expect-error: no city
    () => runs.create("app", id, { input: { ...input, address: {} } });
    () => runs.create("app", id, { step_key: "later", input: { more: "x" } });
    // @ts-expect-error: not a key
    () => runs.create("app", id, { step_key: 1, input });
    // @ts-expect-error: an omitted key is not undefined
    () => runs.create("app", id, { step_key: undefined, input });
  });

  it("is checked field by field, so that errors are reported where they are", async () => {
    const { id } = await workflows.create("app", {
      name: "W",
      input: { n: { type: "number" }, at: { type: "object", fields: { city: { type: "string" } } } },
    });
    () =>
      runs.create("app", id, {
        input: {
          // @ts-expect-error: no number
          n: "many",
          at: {
            // @ts-expect-error: no text
            city: 1,
          },
        },
      });
    () =>
      runs.create("app", id, {
        input: {
          n: 1,
          at: { city: "Berlin" },
          // @ts-expect-error: no such field
          note: "x",
        },
      });
    () =>
      runs.create("app", id, {
        // @ts-expect-error: at is missing
        input: { n: 1 },
      });
    () =>
      runs.create("app", id, {
        step_key: "later",
        // @ts-expect-error: no object
        input: 1,
      });
  });

  it("can be omitted if no field is required, and be any object if there are no fields", async () => {
    const optional = await workflows.create("app", { name: "W", input: { a: { type: "string", optional: true } } });
    () => runs.create("app", optional.id);
    () => runs.create("app", optional.id, {});
    const open = await workflows.create("app", { name: "W", steps: [CODE] });
    expectTypeOf(open.id).toExtend<string>();
    const anything: JsonObject = { a: 1 };
    () => runs.create("app", open.id, { input: anything });
    const configured = await workflows.create("app", {
      name: "W",
      input: { a: { type: "string" } },
      input_default: { a: "x" },
    });
    () => runs.create("app", configured.id);
  });
});

describe("defineWorkflow", () => {
  it("keeps the types of a definition that stands apart", async () => {
    const definition = defineWorkflow({
      name: "W",
      input: { n: { type: "number" } },
      steps: [PRICE, { ...NUMBER, destinations: [], for_each: { items: "[1]", concurrency: 2 }, timeout: 60 }],
      settings: { timeout: 60, concurrency: { limit: 1, strategy: "queue" } },
    });
    const { id } = await workflows.create("app", definition);
    const run = await runs.create("app", id, { input: { n: 1 } });
    expectTypeOf(run.output).toEqualTypeOf<number[] | null>();
  });

  it("rejects unknown fields and values", () => {
    // @ts-expect-error: is spelt destinations
    defineWorkflow({ name: "W", steps: [{ ...CODE, destination: ["a"] }] });
    // @ts-expect-error: no such strategy
    defineWorkflow({ name: "W", settings: { concurrency: { limit: 1, strategy: "wait" } } });
    // @ts-expect-error: seconds
    defineWorkflow({ name: "W", steps: [{ ...CODE, timeout: "1d" }] });
  });
});
