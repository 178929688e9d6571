/** Differences between versions, in process and over HTTP. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareDefinitions, matchSteps, movedSteps } from "../../src/definitions/diff/compare.ts";
import { diffVersions } from "../../src/definitions/diff/diff-versions.ts";
import type { Step } from "../../src/index.ts";
import type { Definition, Version } from "../../src/workflows/version.ts";
import { BASE, createTestHost, describeEachTransport, refusal } from "../support/http/transports.ts";

const code = (key: string, text: string): Step => ({ type: "code", key, code: text });
const definition = (steps: Step[]): Definition => ({ input: {}, input_default: null, input_options: null, steps });
const version = (steps: Step[]): Version => ({
  ...{ id: "workv_1", app_id: "app_1", workflow_id: "work_1", description: null, version: 1, notes: null },
  ...{ created_at: null, key: "work_1@1", ...definition(steps) },
});
const diff = (before: Step[], after: Step[]) => diffVersions(version(before), version(after));

describe("a diff", () => {
  it("matches steps by their keys, wherever they stand", () => {
    const found = diff([code("a", "1"), code("b", "2")], [code("new", "0"), code("b", "3")]);
    expect(found.removed).toEqual([{ pointer: "/steps/0", step: "a", value: code("a", "1") }]);
    expect(found.added).toEqual([{ pointer: "/steps/0", step: "new", value: code("new", "0") }]);
    const change = { pointer: "/steps/1/code", from_pointer: "/steps/1/code", step: "b", before: "2", after: "3" };
    expect(found.changed).toEqual([change]);
    expect(found.moved).toEqual([]);
  });

  it("names the fewest steps that can have moved", () => {
    const [a, b, c, d] = ["a", "b", "c", "d"].map((key) => code(key, ""));
    if (!a || !b || !c || !d) throw new Error("four steps");
    expect(diff([a, b, c, d], [d, a, b, c]).moved).toEqual([
      { pointer: "/steps/0", from_pointer: "/steps/3", step: "d" },
    ]);
    expect(diff([a, b, c, d], [b, c, d]).moved).toEqual([]);
  });

  it("reports items of a list between its equal ends", () => {
    const to = (...destinations: string[]): Step[] => [{ ...code("a", ""), destinations }];
    expect(diff(to("x", "y", "z"), to("x", "z"))).toMatchObject({
      removed: [{ pointer: "/steps/0/destinations/1", value: "y" }],
      ...{ added: [], changed: [] },
    });
    expect(diff(to("x", "z"), to("x", "y", "z"))).toMatchObject({
      added: [{ pointer: "/steps/0/destinations/1", value: "y" }],
      ...{ removed: [], changed: [] },
    });
  });

  it("compares each of several steps with the same key of a draft", () => {
    expect(diff([code("a", "1"), code("a", "2")], [code("a", "1"), code("a", "3"), code("a", "4")])).toMatchObject({
      changed: [{ pointer: "/steps/1/code", before: "2", after: "3" }],
      added: [{ pointer: "/steps/2", value: code("a", "4") }],
    });
  });

  it("stops after 1,000 differences", () => {
    const steps = (text: string) => Array.from({ length: 1_001 }, (_, index) => code(`s${index}`, text));
    const found = diff(steps("1"), steps("2"));
    expect([found.changed.length, found.truncated]).toEqual([1_000, true]);
    expect(diff(steps("1").slice(1), steps("2").slice(1))).toMatchObject({ truncated: false });
  });

  it("compares what stands below long names as a whole", () => {
    const input = (values: Record<string, string>): Step[] => [{ type: "workflow", key: "w", input: values }];
    const long = "x".repeat(5_000);
    const found = diff(input({ [long]: "1" }), input({ [long]: "2" }));
    expect(found.changed).toMatchObject([{ pointer: "/steps/0/input", before: { [long]: "1" } }]);
  });

  it("has no difference between settings, defaults and options that are empty and such that are absent", () => {
    const without = definition([code("a", "1")]);
    const empty: Definition = { ...without, settings: {}, input_default: {}, input_options: {} };
    expect([...compareDefinitions(empty, without)]).toEqual([]);
    expect([...compareDefinitions(without, empty)]).toEqual([]);
    const found = [...compareDefinitions(empty, { ...without, settings: { timeout: 5 } })];
    expect(found).toMatchObject([{ to: ["settings", "timeout"], value: 5 }]);
  });

  const value = fc.jsonValue({ maxDepth: 4 });
  const steps = fc.array(
    fc.record({ key: fc.constantFrom("a", "b", "c", "d", "e"), input: fc.dictionary(fc.string(), value) }),
  );
  const asSteps = (given: { key: string; input: Record<string, unknown> }[]): Step[] =>
    JSON.parse(
      JSON.stringify(given.map((one) => ({ type: "workflow", ...one })).filter(({ input }) => !("__proto__" in input))),
    );

  it("is empty exactly for equal definitions", () => {
    fc.assert(
      fc.property(steps, steps, (one, other) => {
        const [before, after] = [asSteps(one), asSteps(other)];
        expect([...compareDefinitions(definition(before), definition(structuredClone(before)))]).toEqual([]);
        const isSame = sorted(before) === sorted(after);
        const found = [...compareDefinitions(definition(before), definition(after))];
        const moved = movedSteps(matchSteps(before, after));
        expect(found.length + moved.length === 0).toBe(isSame);
      }),
    );
  });
});

/** JSON with sorted names. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, item) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}

describeEachTransport("workflows.diff", (open) => {
  it("compares numbers, ids, latest and draft", async () => {
    const { callApi, app } = open();
    const { id: appId } = await app();
    const { id } = await callApi("workflows.create", appId, { name: "W", steps: [code("a", "return 1")] });
    const first = await callApi("workflows.deploy", appId, id);
    await callApi("workflows.putDraft", appId, id, { steps: [code("a", "return 2")], settings: { timeout: 5 } });
    await callApi("workflows.deploy", appId, id);
    await callApi("workflows.putDraft", appId, id, { steps: [code("a", "return 2")] });
    const twice = await callApi("workflows.diff", appId, id, first.id, 2);
    expect(twice).toMatchObject({
      from: { id: first.id, version: 1 },
      to: { version: 2 },
      added: [{ pointer: "/settings", value: { timeout: 5 } }],
      removed: [],
      changed: [{ pointer: "/steps/0/code", step: "a", before: "return 1", after: "return 2" }],
      truncated: false,
    });
    const undone = await callApi("workflows.diff", appId, id, "latest", "draft");
    expect(undone).toMatchObject({ to: { version: 0 }, removed: [{ pointer: "/settings" }], added: [], changed: [] });
    expect(await refusal(callApi("workflows.diff", appId, id, 1, 3))).toBe("404 not_found");
  });
});

it("is text for Accept: text/plain, without what a terminal would interpret", async () => {
  const host = createTestHost(true);
  const app = await host.app();
  const { workflows } = host.stepwell;
  const lines = "const a = 1;\nconst b = 2;\nreturn a;";
  const { id } = await workflows.create(app.id, { name: "W", steps: [code("a", lines)] });
  await workflows.deploy(app.id, id);
  await workflows.putDraft(app.id, id, { steps: [code("a", lines.replace("2", "\u001b[31m\u202e3")), code("c", "")] });
  const get = (accept: string) =>
    host.stepwell.fetch(
      new Request(`${BASE}/apps/${app.id}/workflows/${id}/versions/1/diff/draft`, {
        headers: { authorization: `Bearer ${app.key}`, accept },
      }),
    );
  const response = await get("text/plain");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("vary")).toContain("accept");
  const text = await response.text();
  expect(text).toContain(
    'changed /steps/0/code (step "a")\n  const a = 1;\n- const b = 2;\n+ const b = \\u{1b}[31m\\u{202e}3;\n  return a;',
  );
  expect(text).toContain('added /steps/1 (step "c")\n+ {\n+   "type": "code"');
  for (const [accept, type] of [
    ["application/json", "application/json"],
    ["*/*", "application/json"],
    ["text/html", "application/json"],
    ["text/*, application/json;q=0.5", "text/plain; charset=utf-8"],
    ["text/plain;q=0.1, application/json;q=0.5", "application/json"],
    ["application/json;q=0, text/plain;q=0.001", "text/plain; charset=utf-8"],
  ] as const) {
    expect([accept, (await get(accept)).headers.get("content-type")]).toEqual([accept, type]);
  }
});
