/** The workflows of examples/workflows give the expected results, and together use every feature of workflows. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DraftPut } from "../../src/workflows/version.ts";
import { EXAMPLES, readExample, textOf } from "../support/examples/example.ts";
import { openHost } from "../support/examples/example-host.ts";
import { expectResults } from "../support/examples/expect-results.ts";
import { offeredBy } from "../support/examples/vocabulary-used.ts";

let host: Awaited<ReturnType<typeof openHost>>;
beforeAll(async () => {
  host = await openHost();
});
afterAll(() => host.close());

it("there are 24 example workflows", () => {
  expect(EXAMPLES.map((name) => name.slice(0, 2))).toEqual(
    Array.from({ length: 24 }, (_, index) => String(index + 1).padStart(2, "0")),
  );
});

it("the README lists every example workflow with its description", () => {
  const readme = textOf("README.md");
  for (const name of EXAMPLES) expect(readme).toContain(`(${name}) | ${readExample(name).about} |`);
});

describe("an example workflow", () => {
  it.each(EXAMPLES)("gives its expected results: %s", async (name) => {
    const { example, app, workflow } = await host.deploy(name);
    for (const one of [example, ...(example.more_runs ?? [])]) {
      expectResults(one, await host.run(app, workflow, one), host.outside);
    }
  });
});

describe("the example workflows together", () => {
  const definitions = EXAMPLES.flatMap((name) => {
    const { definition, needs } = readExample(name);
    return [definition, ...Object.values(needs.workflows ?? {}).map((other) => other.definition)];
  });

  it("use every step type, every field and every enum value", () => {
    const { all, used } = offeredBy(DraftPut);
    const met = new Set(definitions.flatMap(used));
    expect(all.length).toBeGreaterThan(150);
    expect(all.filter((name) => !met.has(name))).toEqual([]);
  });

  it("use every built-in action", async () => {
    const called = new Set(definitions.flatMap(actionsIn));
    const all = (await host.stepwell.services.list()).flatMap(({ name, actions }) =>
      actions.map((action) => `${name}.${action.name}`),
    );
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter((name) => !called.has(name))).toEqual([]);
  });
});

/** The actions of service steps; a model may or may not call its tools. */
function actionsIn({ steps = [] }: DraftPut): string[] {
  return steps.flatMap((step) => (step.type === "service" ? [`${step.service.service}.${step.service.action}`] : []));
}
