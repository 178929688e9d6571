/** Values that would be ignored are rejected: unused bodies, fractional counts, lost digits, misspelled fields. */
import { afterAll, describe, expect, it } from "vitest";
import { allRoutes } from "../../src/api/route-table.ts";
import { createStepwell } from "../../src/index.ts";
import { closestName } from "../../src/messages/closest-name.ts";
import { Step } from "../../src/workflows/step.ts";

const stepwell = createStepwell({ adminKey: "admin-key", baseUrl: "http://localhost" });
afterAll(() => stepwell.close());
const app = await stepwell.apps.create({ name: "Tests" });
const { key } = await stepwell.keys.create(app.id, { name: "tests" });

describe("a route without a body", () => {
  const rows = allRoutes.filter((row) => "call" in row && row.body === undefined && row.method !== "GET");
  const ids: Readonly<Record<string, string>> = { app_id: app.id };
  const send = (row: (typeof rows)[number], body: string | undefined) => {
    const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "unknown_1");
    const authorization = `Bearer ${row.access === "admin" ? "admin-key" : key}`;
    const headers = { authorization, "content-type": "application/json" };
    return stepwell.fetch(
      new Request(`http://localhost${path}`, { method: row.method, headers, ...(body === undefined ? {} : { body }) }),
    );
  };

  it("appears in the route table", () => {
    const paths = rows.map(({ method, path }) => `${method} ${path}`);
    expect(paths).toContain("DELETE /apps/{app_id}");
    expect(paths).toContain("POST /apps/{app_id}/runs/{run_id}/cancel");
  });

  it.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))(
    "%s rejects a body with fields",
    async (_, row) => {
      const answer = await send(row, '{"from_step":"a"}');
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ errors: [{ pointer: "/from_step", message: "Unknown field." }] });
      expect((await send(row, "[]")).status).toBe(422);
    },
  );

  it("accepts no body, an empty one and an empty object", async () => {
    const row = rows.find(({ path }) => path.endsWith("/cancel"));
    if (row === undefined) throw new Error("no route");
    for (const body of [undefined, "", "{}"]) expect((await send(row, body)).status).toBe(404);
  });
});

describe("a number in a step definition", () => {
  /** Measures, not counts. */
  const REAL =
    /\/(timeout|loop_delay|initial_interval|backoff|max_interval|temperature|position|size|order|default|list|value|options)(\/|$)/;

  it("has an integer check wherever it counts something", () => {
    const found: string[] = [];
    const unchecked: string[] = [];
    const seen = new Set<unknown>();
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
      seen.add(schema);
      const { type, pipe, wrapped, entries, options, items, item, value } = schema as Record<string, unknown>;
      if (type === "number") {
        const checks = Array.isArray(pipe) ? pipe.map((one: { type: string }) => one.type) : [];
        found.push(path);
        if (!checks.includes("safe_integer") && !REAL.test(path)) unchecked.push(path);
        seen.delete(schema);
        return;
      }
      walk(wrapped, path);
      walk(item, path);
      walk(value, path);
      for (const one of [options, items].flat()) walk(one, path);
      for (const one of Array.isArray(pipe) ? pipe : []) walk(one, path);
      for (const [name, one] of Object.entries(entries ?? {})) walk(one, `${path}/${name}`);
      seen.delete(schema);
    };
    walk(Step, "");
    expect(found.some((path) => path.endsWith("/max_tokens"))).toBe(true);
    expect(unchecked).toEqual([]);
  });

  it.each([
    ["max_tokens", 1.5, "Must be a whole number."],
    ["max_tokens", -1, "Must be at least 0."],
    ["max_iterations", 2.5, "Must be a whole number."],
  ])("%s: %s is rejected", async (name, value, message) => {
    const provider = { provider: "p", model: "m", messages: "hi", [name]: value };
    const steps: object[] = [{ type: "model", key: "m", provider }];
    const created = stepwell.workflows.create(app.id, { name: "W", steps: steps as never });
    await expect(created).rejects.toMatchObject({ errors: [{ pointer: `/steps/0/provider/${name}`, message }] });
  });
});

describe("a number sent as text", () => {
  const input = { n: { type: "number" } } as const;
  const steps = [{ type: "input", key: "in", input: {} }] as const;
  const run = async (n: string) => {
    const workflow = await stepwell.workflows.create(app.id, { name: "W", input, steps: [...steps] });
    await stepwell.workflows.deploy(app.id, workflow.id);
    return stepwell.runs.create(app.id, workflow.id, { input: { n: n as `${number}` } });
  };

  it.each(["12345678901234567890", "9007199254740993", "0.12345678901234567890", "-1.00000000000000000001"])(
    "%s is rejected because it would lose digits",
    async (n) =>
      expect(run(n)).rejects.toMatchObject({
        errors: [
          {
            pointer: "/input/n",
            message:
              "Must not have more digits than a double-precision number can represent. Use a string field instead.",
          },
        ],
      }),
  );

  it.each([
    ["0.1", 0.1],
    ["1e21", 1e21],
    ["100000000000000000000000", 1e23],
    ["9007199254740991", 9007199254740991],
    ["0.30000000000000004", 0.1 + 0.2],
    ["1.500000000000000000000", 1.5],
    [" -0012.50 ", -12.5],
  ])("%s keeps its value", async (n, value) => expect((await run(n)).output).toEqual({ n: value }));
});

describe("closestName", () => {
  it.each([
    ["required", ["optional", "order"], "optional"],
    ["optionl", ["optional", "order"], "optional"],
    ["throwOnError", ["throw_on_error", "type"], "throw_on_error"],
    ["destnations", ["destinations"], "destinations"],
    ["Amount", ["amount"], "amount"],
    ["zzz", ["optional", "order"], null],
    ["b", ["a"], null],
    ["x".repeat(100_000), ["optional"], null],
  ])("finds the nearest known name of %.20s", (given, known, expected) =>
    expect(closestName(given, known)).toBe(expected),
  );

  it("suggests `optional` for the unknown field `required`", async () => {
    const created = stepwell.workflows.create(app.id, {
      name: "W",
      steps: [{ type: "input", key: "in", input: { a: { type: "string", required: false } } }] as never,
    });
    await expect(created).rejects.toMatchObject({
      errors: [{ message: 'Unknown field. Did you mean "optional" (with the opposite value)?' }],
    });
  });
});
