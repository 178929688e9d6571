/** Diagrams of versions: what they show, how they are laid out, and who gets which form. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diagramOf } from "../../src/definitions/diagram/diagram.ts";
import { layoutOf } from "../../src/definitions/diagram/layout.ts";
import type { Step } from "../../src/index.ts";
import type { Version } from "../../src/workflows/version.ts";
import { BASE, createTestHost, describeEachTransport } from "../support/http/transports.ts";

const code = (key: string, ...destinations: string[]): Step => ({ type: "code", key, code: "", destinations });
const version = (steps: Step[]): Version => ({
  ...{ id: "workv_1", app_id: "app_1", workflow_id: "work_1", description: null, version: 1, notes: null },
  ...{ created_at: null, key: "work_1@1", input: {}, input_default: null, input_options: null, steps },
});

const STEPS: Step[] = [
  { type: "input", key: "start", input: {}, destinations: ["orders"] },
  {
    ...{ type: "code", key: "orders", code: "", destinations: ["big"] },
    for_each: { items: "[]" },
    on_error: [{ condition: "error.code == 'timeout'", destinations: ["mail"] }],
  },
  { type: "branch", key: "big", conditions: { 'over "10"': { order: 1, destinations: ["mail"] } }, else: ["end"] },
  { type: "code", key: "mail", code: "", destinations: ["end"], loop: "true", conditional: "true" },
  code("end"),
];

describe("a diagram", () => {
  it("shows steps, branches, catch routes and repetitions as Mermaid", () => {
    expect(diagramOf(version(STEPS), "W").mermaid.trim().split("\n  ")).toEqual([
      "flowchart TD",
      's0(["start<br/>input"])',
      's1["orders<br/>code · for each"]',
      's2{"big<br/>branch"}',
      's3["mail<br/>code · if · loop"]',
      's4["end<br/>code"]',
      "s0 --> s1",
      "s1 --> s2",
      `s1 -.->|"error.code #61;#61; #39;timeout#39;"| s3`,
      's2 -->|"over #34;10#34;"| s3',
      's2 -->|"else"| s4',
      "s3 --> s4",
    ]);
  });

  it("shows the same as SVG, with catch routes marked", () => {
    const { svg } = diagramOf(version(STEPS), "W");
    expect(svg.match(/class="step /g)).toHaveLength(5);
    expect(svg.match(/class="edge"/g)).toHaveLength(5);
    expect(svg.match(/class="edge catch"/g)).toHaveLength(1);
    expect(svg).toContain("over &quot;10&quot;");
    expect(svg).toContain("@media(prefers-color-scheme:dark)");
  });

  it("connects steps in a chain and steps with input_connected as a run does", () => {
    const chain = diagramOf(
      version([
        { type: "input", key: "a", input: {} },
        { type: "code", key: "b", code: "" },
      ]),
      "W",
    );
    expect(chain.mermaid).toContain("s0 --> s1");
    const connected: Step[] = [
      { type: "input", key: "a", input: {}, destinations: ["c"] },
      { type: "input", key: "b", input: {}, destinations: ["c"] },
      code("c"),
      { ...code("d"), input_connected: true },
    ];
    expect(diagramOf(version(connected), "W").mermaid).toContain('s0 -->|"any start"| s3');
  });

  it("escapes everything in keys and conditions", () => {
    const hostile = `</text><script>alert(1)</script>"]]\n--> %%{init: {}}%% \u0000\ud800`;
    const steps: Step[] = [
      { type: "branch", key: hostile, conditions: { [hostile]: { order: 1, destinations: ["end"] } } },
      code("end"),
    ];
    const { svg, mermaid } = diagramOf(version(steps), hostile);
    expect(svg).not.toContain("<script");
    expect(svg).toContain('<title id="title">&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;]]\n--&gt; %%');
    expect(svg).toMatch(/^[\n\u0020-\ufffd]*$/);
    expect(() => encodeURIComponent(svg)).not.toThrow();
    expect(mermaid.split("\n")).toHaveLength(5);
    expect(mermaid).not.toMatch(/<script|%%/);
    expect(mermaid).toMatch(/^[\n\u0020-\ufffd]*$/);
  });

  it("of a draft shows cycles and steps with the same key", () => {
    const { svg } = diagramOf(version([code("a", "b"), code("b", "a"), code("a", "a")]), "W");
    expect(svg.match(/class="step /g)).toHaveLength(3);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("of 2,000 steps with 200,000 edges says how many it leaves out", () => {
    const keys = Array.from({ length: 2_000 }, (_, index) => String(index));
    const steps = keys.map((key, index) => code(key, ...keys.slice(index + 1, index + 101)));
    const { svg, mermaid } = diagramOf(version(steps), "W");
    const all = steps.reduce((sum, { destinations = [] }) => sum + destinations.length, 0);
    expect(svg).toContain(`${all - 4_000} more edges are not shown.`);
    expect(mermaid).toContain(`%% ${all - 4_000} more edges`);
  });

  it("keeps the labels of edges outside of tall steps that their author placed", () => {
    const place = (x: number, y: number) => ({ position: [x, y], size: [208, 400] }) as const;
    const branch = {
      type: "branch",
      key: "b",
      conditions: { "x > 1": { order: 1, destinations: ["below", "above"] } },
    };
    const steps = [
      { ...branch, ...place(0, 600) },
      { ...code("below"), ...place(0, 1_200) },
      { ...code("above"), ...place(0, 0) },
    ] as Step[];
    const { svg } = diagramOf(version(steps), "W");
    const boxes = [...svg.matchAll(/<rect class="box" x="[^"]+" y="([^"]+)" width="[^"]+" height="([^"]+)"/g)];
    const spans = boxes.map(([, y, height]) => [Number(y), Number(y) + Number(height)] as const);
    const labels = [...svg.matchAll(/<text class="label" x="[^"]+" y="([^"]+)"/g)].map(([, y]) => Number(y));
    expect(spans).toHaveLength(3);
    expect(labels).toHaveLength(2);
    for (const y of labels) {
      expect(spans.filter(([top, bottom]) => top <= y && y <= bottom)).toEqual([]);
    }
  });

  it("of nothing is a valid document", () => {
    expect(diagramOf(version([]), "W").svg).toContain("No steps.");
  });
});

describe("the layout", () => {
  const sizes = { width: 100, height: 40, labelHeight: 16, gapX: 20, gapY: 50 };
  const graph = fc.integer({ min: 1, max: 40 }).chain((count) =>
    fc.record({
      count: fc.constant(count),
      edges: fc.array(
        fc.record({ from: fc.nat(count - 1), to: fc.nat(count - 1), labelWidth: fc.constantFrom(0, 0, 70) }),
        { maxLength: 80 },
      ),
    }),
  );

  it("puts no two steps over each other, and steps below those that lead to them", () => {
    fc.assert(
      fc.property(graph, ({ count, edges: all }) => {
        const edges = all.filter(({ from, to }) => from < to);
        const { places, width, height } = layoutOf(count, edges, sizes);
        expect(places).toHaveLength(count);
        for (const { from, to } of edges) expect(places[from]?.y).toBeLessThan(places[to]?.y ?? 0);
        for (const height of new Set(places.map(({ y }) => y))) {
          const xs = places
            .filter(({ y }) => y === height)
            .map(({ x }) => x)
            .sort((one, other) => one - other);
          for (const [index, x] of xs.slice(1).entries()) expect(x - (xs[index] ?? 0)).toBeGreaterThanOrEqual(119);
          expect(xs[0]).toBeGreaterThanOrEqual(49);
          expect(xs.at(-1)).toBeLessThanOrEqual(width - 49);
        }
        for (const { y } of places) expect(y + 20).toBeLessThanOrEqual(height);
      }),
    );
  });

  it("finds a finite place for every step of any graph", () => {
    fc.assert(
      fc.property(graph, ({ count, edges }) => {
        const { places, bends } = layoutOf(count, edges, sizes);
        for (const { x, y } of places) expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
        for (const bend of bends.flat()) expect(Number.isFinite(bend.x) && bend.top <= bend.bottom).toBe(true);
      }),
    );
  });
});

describeEachTransport("workflows.diagram", (open) => {
  it("is found by number, latest and draft", async () => {
    const { callApi, app } = open();
    const { id: appId } = await app();
    const { id } = await callApi("workflows.create", appId, { name: "Loans & cards", steps: [code("first")] });
    await callApi("workflows.deploy", appId, id);
    await callApi("workflows.putDraft", appId, id, { steps: [code("second")] });
    for (const [given, key, version] of [
      [1, "first", "version 1"],
      ["latest", "first", "version 1"],
      ["draft", "second", "draft"],
    ] as const) {
      const { svg } = await callApi("workflows.diagram", appId, id, given);
      expect(svg).toContain(`>${key}<`);
      expect(svg).toContain(`<title id="title">Loans &amp; cards (${version})</title>`);
    }
  });
});

it("is SVG for browsers, Mermaid for Accept: text/plain, and public with its workflow", async () => {
  const host = createTestHost(true);
  const app = await host.app();
  const { id } = await host.stepwell.workflows.create(app.id, { name: "W", visibility: "PUBLIC", steps: STEPS });
  await host.stepwell.workflows.deploy(app.id, id);
  const get = (version: string, accept: string) =>
    host.stepwell.fetch(
      new Request(`${BASE}/apps/${app.id}/workflows/${id}/versions/${version}/diagram`, { headers: { accept } }),
    );
  for (const [accept, type] of [
    ["*/*", "image/svg+xml"],
    ["image/avif,image/webp,image/svg+xml,image/*;q=0.8,*/*;q=0.5", "image/svg+xml"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", "image/svg+xml"],
    ["text/vnd.mermaid", "text/vnd.mermaid; charset=utf-8"],
    ["text/plain", "text/plain; charset=utf-8"],
    ["application/json", "application/json"],
  ] as const) {
    const response = await get("latest", accept);
    expect([accept, response.status, response.headers.get("content-type")]).toEqual([accept, 200, type]);
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
  }
  expect((await get("draft", "*/*")).status).toBe(404);
  await host.stepwell.workflows.update(app.id, id, { visibility: "PRIVATE" });
  expect((await get("latest", "*/*")).status).toBe(404);
});
