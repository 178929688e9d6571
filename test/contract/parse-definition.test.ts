/** parseDefinition: definitions from outside the program are checked completely, and accepted by any typed service. */
import { readdirSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { expect, it } from "vitest";
import { createStepwell, defineService, isStepwellError, parseDefinition } from "../../src/index.ts";
import { EVERYTHING } from "../support/workflows/definitions.ts";

const FOLDER = new URL("../../examples/workflows/", import.meta.url);
const greeting = defineService({
  name: "greeting",
  actions: { say: { input: v.object({ to: v.string() }), output: v.string(), run: ({ to }) => `Hello ${to}` } },
});

function refusal(value: unknown): string[] {
  try {
    parseDefinition(value);
    return [];
  } catch (error) {
    if (!isStepwellError(error, "invalid")) throw error;
    return error.errors.map(({ pointer }) => pointer);
  }
}

it("parseDefinition returns a valid definition unchanged", () => {
  expect(parseDefinition(EVERYTHING)).toEqual(EVERYTHING);
  expect(parseDefinition({})).toEqual({});
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".json"))) {
    const { definition } = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
    expect(parseDefinition(definition)).toEqual(definition);
  }
});

it("parseDefinition reports all problems with their pointers", () => {
  const steps = [
    { type: "code", key: "" },
    { type: "script", key: "s" },
  ];
  expect(refusal({ steps, input: { n: { type: "nmuber" } }, name: "Intake" }).sort()).toEqual([
    "/input/n/type",
    "/name",
    "/steps/0/code",
    "/steps/0/key",
    "/steps/1/type",
  ]);
  for (const value of ["{}", null, undefined, [], 1]) expect(refusal(value)).toEqual([""]);
  expect(refusal({ steps: [{ type: "note", key: "n", note: 1n }] })).not.toEqual([]);
});

it("a parsed definition is accepted by typed services, and its actions are checked at deployment", async () => {
  const stepwell = createStepwell({ services: [greeting] });
  const { id: app } = await stepwell.apps.create({ name: "Tests" });
  const step = (action: string) => ({
    type: "service",
    key: "s",
    service: { service: "greeting", action, input: { to: "Ada" } },
  });
  const definition = parseDefinition(JSON.parse(JSON.stringify({ steps: [step("say")] })));
  const { id } = await stepwell.workflows.create(app, { name: "W", ...definition });
  await stepwell.workflows.deploy(app, id);
  expect(await stepwell.runs.wait(app, (await stepwell.runs.create(app, id)).id)).toMatchObject({
    output: "Hello Ada",
  });
  await stepwell.workflows.putDraft(app, id, parseDefinition({ steps: [step("sing")] }));
  await expect(stepwell.workflows.deploy(app, id)).rejects.toMatchObject({
    errors: [{ pointer: "/steps/0/service/action" }],
  });
  await stepwell.close();
});
