/** Expressions that return large values: each piece of work is done once, and other requests are handled between two pieces. */
import { expect, it } from "vitest";
import { createCel } from "../../src/engine/expressions/cel.ts";
import { evaluateTexts } from "../../src/engine/inspection/evaluate.ts";
import type { ExpressionToEvaluate } from "../../src/runs/inspection/evaluation.ts";
import { systemClock } from "../../src/time/system-clock.ts";

/** A large object, and how often it was serialized and its names were listed. */
function large() {
  const counts = { written: 0, listed: 0 };
  const object = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at]));
  const value = new Proxy(object, {
    get(target, name) {
      if (name === "toJSON") counts.written++;
      return Reflect.get(target, name);
    },
    ownKeys(target) {
      counts.listed++;
      return Reflect.ownKeys(target);
    },
  });
  return { value, counts };
}

const AROUND = {
  steps: {},
  run: { id: "run_1", workflow_id: "wf_1", version: 1, trigger: { type: "api" as const }, tags: [], metadata: {} },
  app: { id: "app_1", name: "App" },
  now: new Date(0),
};

async function evaluated(texts: readonly ExpressionToEvaluate[]) {
  const { value, counts } = large();
  const cel = createCel(systemClock);
  let turns = 0;
  const pace = {
    ...cel.pace,
    nextTurn() {
      turns++;
      return cel.pace.nextTurn();
    },
  };
  const variables = { ...AROUND, input: { large: value } };
  const scope = { variables, missing: new Map<string, string>() };
  const context = { cel: { ...cel, pace }, place: "anywhere" as const, scopeAt: () => scope, maxValueChars: 100 };
  const results = await evaluateTexts(texts, context);
  return { results, turns, ...counts };
}

it("different expressions that contain the same large object list its names once", async () => {
  const expressions = Array.from({ length: 100 }, (_, at) => ({ expression: `[input.large, ${at}]` }));
  const { results, turns, listed } = await evaluated(expressions);
  expect(results.map(({ preview }) => preview?.length)).toEqual(Array(100).fill(100));
  expect(listed).toBe(1);
  // One to evaluate, and one to show.
  expect(turns).toBe(200);
});

it("templates write a large object once, in a turn of its own", async () => {
  const { results, turns, written } = await evaluated([{ template: "1 {{ input.large }} {{ input.large }}" }]);
  expect(results).toMatchObject([{ type: "string", preview: expect.stringMatching(/^"1 \{\\"k0\\":0,/) }]);
  expect(written).toBe(1);
  // The start, and one after each evaluation and each writing.
  expect(turns).toBe(5);
});
