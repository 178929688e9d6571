/** The workflows of examples/workflows run as they say, and together they use everything that there is. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DraftPut } from "../../src/workflows/version.ts";
import { EXAMPLES, type ExampleRun, readExample, textOf } from "../support/examples/example.ts";
import { type Outside, openHost } from "../support/examples/example-host.ts";
import { offeredBy } from "../support/examples/vocabulary-used.ts";

let host: Awaited<ReturnType<typeof openHost>>;
beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

it("are twenty", () => {
  expect(EXAMPLES.map((name) => name.slice(0, 2))).toEqual(
    Array.from({ length: 20 }, (_, index) => String(index + 1).padStart(2, "0")),
  );
});

it("are told of in the README, each in its own words", () => {
  const readme = textOf("README.md");
  for (const name of EXAMPLES) expect(readme).toContain(`(${name}) | ${readExample(name).about} |`);
});

describe("an example", () => {
  it.each(EXAMPLES)("%s", async (name) => {
    const { example, app, workflow } = await host.deploy(name);
    for (const one of [example, ...(example.more_runs ?? [])]) {
      const { output, error, status, steps } = await host.run(app, workflow, one);
      const byKey = Object.fromEntries(steps.map((step) => [step.key, step]));
      expect({ error, status, output, steps: byKey }).toMatchObject({
        error: null,
        status: "succeeded",
        ...outcome(one.expected),
      });
      check(one.expected, host.outside);
    }
  });
});

const outcome = ({ sent: _, told: __, ...of }: ExampleRun["expected"]) => of;

function check({ sent = [], told = [] }: ExampleRun["expected"], outside: Outside): void {
  for (const { headers = {}, ...one } of sent) {
    const withHeaders = { ...one, headers: expect.objectContaining(headers) as object };
    expect(outside.sent()).toContainEqual(expect.objectContaining(withHeaders));
  }
  for (const text of told) expect(outside.told()).toContain(text);
}

describe("together they use", () => {
  const definitions = EXAMPLES.flatMap((name) => {
    const { definition, needs } = readExample(name);
    return [definition, ...Object.values(needs.workflows ?? {}).map((other) => other.definition)];
  });

  it("every step type, every field, and every value that a field can be chosen to have", () => {
    const { all, used } = offeredBy(DraftPut);
    const met = new Set(definitions.flatMap(used));
    expect(all.length).toBeGreaterThan(150);
    expect(all.filter((name) => !met.has(name))).toEqual([]);
  });

  it("every built-in action", async () => {
    const called = new Set(definitions.flatMap(actionsIn));
    const all = (await host.stepwell.services.list()).flatMap(({ name, actions }) =>
      actions.map((action) => `${name}.${action.name}`),
    );
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter((name) => !called.has(name))).toEqual([]);
  });
});

/** Named by service steps; what a model may call is not called for certain. */
function actionsIn({ steps = [] }: DraftPut): string[] {
  return steps.flatMap((step) => (step.type === "service" ? [`${step.service.service}.${step.service.action}`] : []));
}
