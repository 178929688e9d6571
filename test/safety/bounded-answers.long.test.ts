/** Large invalid bodies get a short response, with work in proportion to their size. */
import { describe, expect, it } from "vitest";
import { FIELDS } from "../support/http/every-field.ts";
import { MAX_ERRORS, openEveryRoute, routes } from "../support/http/every-route.ts";
import {
  HOSTILE_VALUES,
  hostileValuesFor,
  MAX_BODY_BYTES,
  manyKeys,
  schemaNodesOf,
} from "../support/http/hostile-bodies.ts";

const send = openEveryRoute();

/** Checks the response to a body; returns its problem, if any. */
async function answerTo(method: string, path: string, value: unknown) {
  const body = JSON.stringify(value);
  expect(body.length).toBeLessThanOrEqual(MAX_BODY_BYTES);
  return (await send(method, path, body)).problem;
}

/** For the root of a body; nodes below it get the value that is worst for their schema. */
const AT_ROOT = Object.entries(HOSTILE_VALUES).filter(([what]) =>
  ["unknown keys", "wrong fields below a long key"].includes(what),
);

describe("a large invalid body gets a response below 64 KiB", () => {
  const seen = new Set<unknown>();
  const cases = routes.flatMap((route) => {
    const { method, path } = route;
    const nodes = "body" in route && route.body !== undefined ? schemaNodesOf(route.body, seen) : [];
    const root = AT_ROOT.map(([what, value]) => [method, path, "/", what, value] as const);
    const below = nodes.flatMap((node) =>
      hostileValuesFor(node)
        .slice(0, 1)
        .map(([what, value]) => [method, path, node.name, what, () => node.put(value())] as const),
    );
    return [...root, ...below];
  });

  it("for at least two nodes of every route", () => expect(cases.length).toBeGreaterThan(routes.length * 2));

  it.each(cases)("%s %s at %s: %s", async (method, path, _place, _what, value) => {
    await answerTo(method, path, value());
  });
});

describe("invalid input of a run or webhook", () => {
  const HOOK = "/public/apps/hooks/{app_id}/{hook_path*}";
  const RUNS = "/apps/{app_id}/workflows/{workflow_id}/runs";

  it.each(Object.keys(FIELDS))("reports at most 100 errors for the field %s", async (field) => {
    for (const what of ["a list of empty objects", "wrong fields below a long key"]) {
      const value = HOSTILE_VALUES[what]?.();
      await answerTo("POST", HOOK, { [field]: value });
      await answerTo("POST", RUNS, { input: { [field]: value } });
    }
  });

  it("sets errors_truncated when there are more than 100 errors", async () => {
    const problem = await answerTo("POST", RUNS, { input: manyKeys(0) });
    expect(problem?.errors).toHaveLength(MAX_ERRORS);
    expect(problem?.errors_truncated).toBe(true);
    expect(problem?.detail).toContain("and at least 99 more");
  });

  it("omits errors_truncated when there are few errors", async () => {
    const problem = await answerTo("POST", RUNS, { input: { unknown: 1 } });
    expect(problem?.errors_truncated).toBeUndefined();
  });
});
