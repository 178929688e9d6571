/** The parts of the run page that compute what it shows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canvasGraphOf, edgeId } from "../../adapters/console/app/canvas/canvas-graph.ts";
import { stepTowards } from "../../adapters/console/app/canvas/keyboard.ts";
import { placeSteps } from "../../adapters/console/app/canvas/placing/place-steps.ts";
import { stepName } from "../../adapters/console/app/canvas/words/step-name.ts";
import { retriedSteps } from "../../adapters/console/app/run/actions/retried-steps.ts";
import { takenEdges } from "../../adapters/console/app/run/edges-taken.ts";
import { failureOf, nextFailure } from "../../adapters/console/app/run/failures.ts";
import { applyEvents, keepSteps } from "../../adapters/console/app/run/live/apply-event.ts";
import { createSeenStore } from "../../adapters/console/app/run/live/attempts-seen.ts";
import { timesText } from "../../adapters/console/app/run/times-text.ts";
import { barsOf, busyStretches } from "../../adapters/console/app/run/waterfall/bars.ts";
import { timeAxis } from "../../adapters/console/app/run/waterfall/time-axis.ts";
import { en } from "../../adapters/console/app/texts/en/index.ts";
import type { Step } from "../../src/index.ts";
import type { Run } from "../../src/runs/run.ts";
import type { RunStep } from "../../src/runs/run-step.ts";

const AT = "2026-01-01T00:00:00.000Z";
const LATER = "2026-01-01T00:00:01.000Z";

function step(key: string, more: Partial<RunStep> = {}): RunStep {
  return {
    ...{ key, type: "code", status: "pending", output: null, error: null, attempts: 0 },
    ...{ started_at: null, finished_at: null },
    ...more,
  };
}

const done = (key: string, more: Partial<RunStep> = {}): RunStep =>
  step(key, { status: "succeeded", attempts: 1, started_at: AT, finished_at: AT, ...more });

function run(...steps: RunStep[]): Run {
  return {
    ...{ id: "run_1", app_id: "app_1", workflow_id: "work_1", workflow_version_id: "workv_1", version: 1 },
    ...{ status: "running", error: null, parent_run_id: null, trigger: { type: "api" }, tags: [], metadata: {} },
    ...{ created_at: AT, started_at: AT, finished_at: null, input: {}, output: null, steps },
  };
}

const code = (key: string, ...destinations: string[]): Step => ({ type: "code", key, code: "", destinations });

const LOAN: readonly Step[] = [
  { type: "input", key: "start", input: {}, destinations: ["size"] },
  {
    type: "branch",
    key: "size",
    conditions: {
      small: { order: 2, condition: "true", destinations: ["bill"] },
      large: {
        order: 1,
        condition: "input.amount > 1000 && input.customer.is_known_for_years",
        destinations: ["approve"],
      },
    },
    else: ["refuse"],
  },
  code("approve", "bill"),
  { ...code("bill"), on_error: [{ destinations: ["refuse"] }] } as Step, // a code step
  code("refuse"),
];

describe("the graph of a canvas", () => {
  it("has the conditions of a branch in their order, cut at 40 characters, then else, then catch routes", () => {
    const { outgoing } = canvasGraphOf(LOAN);
    const labels = (key: string) =>
      outgoing.get(key)?.map(({ port, label }) => [port.kind, label?.order, label?.condition]);
    expect(labels("size")).toEqual([
      ["condition", 1, "input.amount > 1000 && input.customer.i…"],
      ["condition", 2, "true"],
      ["else", null, ""],
    ]);
    expect(labels("bill")).toEqual([["error", null, ""]]);
  });

  it("names where each way leads, with the condition it depends on", () => {
    const graph = canvasGraphOf(LOAN);
    expect(stepName(graph, "size", undefined, en)).toContain("leads to approve (large), bill (small), refuse (else)");
    expect(stepName(graph, "bill", undefined, en)).toContain("leads to refuse (on error)");
    expect(stepName(graph, "approve", undefined, en)).toContain("leads to bill");
  });

  it("keeps two steps with the same key apart, as a draft may have them", () => {
    expect([...canvasGraphOf([code("one"), code("one")]).steps.keys()]).toEqual(["one", "one (1)"]);
  });

  it("places steps without a position below what leads to them, and covers no other step", () => {
    const steps: Step[] = [
      { ...code("one", "two", "three", "four"), position: [500, 100] },
      code("two"),
      code("three"),
      code("four"),
    ];
    const graph = canvasGraphOf(steps);
    const { points } = placeSteps(graph, false);
    expect(points.get("one")).toEqual({ x: 500, y: 100 });
    const placed = ["two", "three", "four"].map((id) => points.get(id) ?? { x: 0, y: 0 });
    for (const { y } of placed) expect(y).toBeGreaterThan(152);
    const xs = placed.map(({ x }) => x).sort((one, other) => one - other);
    for (const [index, x] of xs.slice(1).entries()) expect(x - (xs[index] ?? 0)).toBeGreaterThanOrEqual(208);
  });

  it("is walked along edges, and between branches", () => {
    const graph = canvasGraphOf(LOAN);
    const placement = placeSteps(graph, false);
    const from = (id: string, key: Parameters<typeof stepTowards>[3]) => stepTowards(graph, placement, id, key);
    expect(from("start", "ArrowDown")).toBe("size");
    expect(from("size", "ArrowUp")).toBe("start");
    expect(from("approve", "ArrowUp")).toBe("size");
    expect(from("start", "ArrowUp")).toBe(null);
    expect([from("bill", "Home"), from("bill", "End")]).toEqual(["start", "refuse"]);
  });
});

describe("the edges that a run took", () => {
  it("are those of the condition that held, and of no skipped branch", () => {
    const graph = canvasGraphOf(LOAN);
    const definitions = new Map(LOAN.map((one) => [one.key, one]));
    const states = [
      done("start"),
      done("size", { output: { taken: "small" } }),
      step("approve", { status: "skipped" }),
      done("bill"),
      step("refuse", { status: "skipped" }),
    ];
    const marks = takenEdges(graph, definitions, states, new Map());
    const taken = [...marks].filter(([, { isTaken }]) => isTaken).map(([id]) => id);
    expect(taken).toEqual([
      edgeId("start", { kind: "next" }, "size"),
      edgeId("size", { kind: "condition", name: "small" }, "bill"),
    ]);
  });
});

describe("the axis of a waterfall", () => {
  it("cuts a stretch in which nothing ran, if it is longer than a fifth", () => {
    const hour = 3_600_000;
    const axis = timeAxis({ from: 0, to: 3 * hour + 2_000 }, [
      { from: 0, to: 1_000 },
      { from: 3 * hour + 1_000, to: 3 * hour + 2_000 },
    ]);
    expect(axis.parts.map(({ from, to, isCut }) => [from, to, isCut])).toEqual([
      [0, 1_000, false],
      [1_000, 3 * hour + 1_000, true],
      [3 * hour + 1_000, 3 * hour + 2_000, false],
    ]);
    expect(axis.placeOf(1_000)).toBeCloseTo(0.47);
    expect(axis.placeOf(3 * hour + 2_000)).toBeCloseTo(1);
  });

  it("counts the time in the queue as no idle time of the run", () => {
    const { parts } = timeAxis({ from: 0, to: 9_400 }, [{ from: 9_000, to: 9_400 }], 5_000);
    expect(parts.filter(({ isCut }) => isCut).map(({ from, to }) => [from, to])).toEqual([
      [0, 5_000],
      [5_000, 9_000],
    ]);
    const { parts: short } = timeAxis({ from: 0, to: 3_000 }, [{ from: 2_500, to: 3_000 }], 1_900);
    expect(short.filter(({ isCut }) => isCut).map(({ from, to }) => [from, to])).toEqual([[0, 1_900]]);
  });

  it("cuts nothing of an open run that has not come", () => {
    const { parts } = timeAxis({ from: 0, to: 40_000 }, [{ from: 0, to: 20_000 }], 0, 20_000);
    expect(parts.map(({ from, to, isCut }) => [from, to, isCut])).toEqual([[0, 40_000, false]]);
    const { parts: waiting } = timeAxis({ from: 0, to: 40_000 }, [{ from: 0, to: 2_000 }], 0, 20_000);
    expect(waiting.map(({ isCut }) => isCut)).toEqual([false, true]);
  });

  it("covers all time without a gap, and never runs backwards", () => {
    const stretch = fc.tuple(fc.nat(100_000), fc.nat(10_000)).map(([from, length]) => ({ from, to: from + length }));
    fc.assert(
      fc.property(
        fc.array(stretch, { maxLength: 12 }),
        fc.array(fc.nat(120_000), { minLength: 2 }),
        fc.nat(120_000),
        (busy, moments, started) => {
          const axis = timeAxis({ from: 0, to: 120_000 }, busy, started);
          expect(axis.parts.at(-1)?.end).toBeCloseTo(1);
          for (const [index, part] of axis.parts.entries()) {
            expect(part.from).toBe(axis.parts[index - 1]?.to ?? 0);
            // Nothing that ran is cut.
            if (part.isCut) expect(part.from >= started || part.to <= started).toBe(true);
            if (part.isCut)
              expect(busy.some(({ from, to }) => from < part.to && to > part.from && from < to)).toBe(false);
          }
          const places = moments.sort((one, other) => one - other).map(axis.placeOf);
          expect(places).toEqual(places.toSorted((one, other) => one - other));
        },
      ),
    );
  });
});

describe("the bars of a step", () => {
  it("are light between tries", () => {
    const failed = done("fetch", { finished_at: LATER, attempts: 2 });
    const from = Date.parse(AT);
    const tries = [
      { number: 1, part: null, from, to: from + 100, isFailed: true },
      { number: 2, part: null, from: from + 900, to: from + 1_000, isFailed: false },
    ];
    const { bars } = barsOf(failed, undefined, tries, 0);
    expect(bars.map(({ kind, from: at, to }) => [kind, at - from, to - from])).toEqual([
      ["running", 0, 100],
      ["retry", 100, 900],
      ["running", 900, 1_000],
    ]);
  });

  it("of a loop are busy before the repetitions that are kept, and wait between them", () => {
    const from = Date.parse(AT);
    const loop = step("work", { status: "running", started_at: AT, attempts: 512 });
    const known = { number: 1, part: 510, from: from + 60_000, to: from + 62_000, isFailed: false };
    const tries = [known, { number: 1, part: 511, from: from + 65_000, to: from + 66_000, isFailed: false }];
    const bars = barsOf(loop, undefined, tries, from + 66_000);
    expect(bars.bars.map(({ kind, from: at, to }) => [kind, at - from, to - from])).toEqual([
      ["earlier", 0, 60_000],
      ["running", 60_000, 62_000],
      ["delay", 62_000, 65_000],
      ["running", 65_000, 66_000],
    ]);
    const { parts } = timeAxis({ from, to: from + 70_000 }, busyStretches([bars]), from, from + 66_000);
    expect(parts.some(({ isCut }) => isCut)).toBe(false);
    const waiting = barsOf({ ...loop, status: "waiting", waits_until: LATER }, undefined, tries, from + 70_000);
    expect(waiting.bars.at(-1)).toEqual({ kind: "delay", from: from + 66_000, to: from + 70_000 });
    expect(barsOf(loop, undefined, [{ ...known, part: 0 }], from + 62_000).bars[0]?.kind).toBe("running");
  });

  it("are outlined while a person is asked, but not for the input that started the run", () => {
    const kinds = (one: RunStep) => barsOf(one, undefined, [], Date.parse(LATER)).bars.map(({ kind }) => kind);
    expect(kinds(step("ask", { type: "input", status: "waiting", started_at: AT }))).toEqual(["person"]);
    expect(kinds(done("start", { type: "input" }))).toEqual(["running"]);
    const slow = done("start", { type: "input", finished_at: LATER });
    expect(kinds(slow)).toEqual(["person"]);
    expect(barsOf(slow, undefined, [], 0, true).bars.map(({ kind }) => kind)).toEqual(["running"]);
  });
});

describe("how often a step was executed", () => {
  it("is said of its tries, but of a loop in repetitions, and of items not at all", () => {
    const loop: Step = { ...code("work"), loop: "iteration >= 9" } as Step; // a code step
    expect(timesText(en.run, step("one", { attempts: 1 }), undefined, undefined)).toBe(undefined);
    expect(timesText(en.run, step("one", { attempts: 3 }), code("one"), undefined)).toBe("3 tries");
    expect(timesText(en.run, step("work", { attempts: 12 }), loop, 8)).toBe("9 repetitions");
    expect(timesText(en.run, step("work", { attempts: 12 }), undefined, 8)).toBe("9 repetitions");
    expect(timesText(en.run, step("work", { attempts: 12 }), loop, undefined)).toBe(undefined);
    const items = { total: 6, succeeded: 6, failed: 0 };
    expect(timesText(en.run, step("list", { attempts: 6, items }), undefined, undefined)).toBe(undefined);
  });
});

describe("the failure at which the page of a run opens", () => {
  const caught = step("caught", { status: "failed" });
  const broken = step("broken", { status: "failed" });

  it("is the step of the run's error, also when a step before it failed and was caught", () => {
    const error = { code: "code_failed", message: "", step: "broken" };
    const failed: Run = { ...run(caught, done("next"), broken), status: "failed", error };
    expect(failureOf(failed)).toEqual({ step: "broken", at: null });
    expect(nextFailure(failed, { step: "broken", at: null })).toEqual({ step: "caught", at: null });
  });

  it("is the first failed step when the error names none, and none unless the run has failed", () => {
    const failed: Run = { ...run(caught, broken), status: "failed", error: { code: "timeout", message: "" } };
    expect(failureOf(failed)).toEqual({ step: "caught", at: null });
    expect(failureOf({ ...failed, status: "succeeded", error: null })).toBe(null);
  });
});

describe("the next failure", () => {
  it("goes through steps and items in the order of the run, and begins anew after the last", () => {
    const errors = [1, 7].map((index) => ({ index, code: "code_failed", message: "", attempts: 1 }));
    const failed = run(step("one", { status: "failed" }), done("two", { errors }), done("three"));
    const walk = [];
    let at: { step: string | null; at: number | null } = { step: null, at: null };
    for (let count = 0; count < 4; count++) {
      at = nextFailure(failed, at) ?? at;
      walk.push([at.step, at.at]);
    }
    expect(walk).toEqual([
      ["one", null],
      ["two", 1],
      ["two", 7],
      ["one", null],
    ]);
    expect(nextFailure(failed, { step: "two", at: 7 }, true)).toEqual({ step: "two", at: 1 });
    expect(nextFailure(run(done("one")), { step: null, at: null })).toBe(null);
  });
});

describe("what a retry runs again", () => {
  it("is what has not succeeded, and what follows the chosen step", () => {
    const steps = [done("start"), done("size"), done("approve"), step("bill", { status: "failed" }), step("refuse")];
    const graph = canvasGraphOf(LOAN);
    expect(retriedSteps(steps, graph, null).again).toEqual(["bill", "refuse"]);
    expect(retriedSteps(steps, graph, "approve").again).toEqual(["approve", "bill", "refuse"]);
    expect(retriedSteps(steps, null, "approve").kept).toEqual(["start", "size", "approve"]);
  });
});

describe("the events of a run", () => {
  const started = { type: "step.started", run_id: "run_1", step: "two", at: AT } as const;
  const succeeded = { type: "step.succeeded", run_id: "run_1", step: "two", id: 2, at: LATER, output: 1 } as const;

  it("change only the step that they are about, and change nothing when they come again", () => {
    const before = run(done("one"), step("two"));
    const after = applyEvents(before, [started, succeeded]);
    expect(after.steps[0]).toBe(before.steps[0]);
    expect(after.steps[1]).toMatchObject({
      status: "succeeded",
      started_at: AT,
      finished_at: LATER,
      attempts: 1,
      output: 1,
    });
    expect(applyEvents(after, [started, succeeded])).toBe(after);
  });

  it("begin and end a step at once that has no event for its start", () => {
    const after = applyEvents(run(done("one"), step("two")), [succeeded]);
    expect(after.steps[1]).toMatchObject({ started_at: LATER, finished_at: LATER });
    const { id: _, output: __, ...of } = succeeded;
    const skipped = applyEvents(run(done("one"), step("two")), [{ ...of, type: "step.skipped", id: 2 }]);
    expect(skipped.steps[1]).toMatchObject({ started_at: null, finished_at: LATER });
  });

  it("end a run once", () => {
    const ended = applyEvents(run(done("one")), [
      { type: "run.succeeded", run_id: "run_1", id: 3, at: LATER, output: 5 },
    ]);
    expect(ended).toMatchObject({ status: "succeeded", output: 5, finished_at: LATER });
    expect(applyEvents(ended, [{ type: "run.canceled", run_id: "run_1", id: 4, at: LATER }])).toBe(ended);
  });

  it("leave the objects of steps as they are when a snapshot says the same", () => {
    const before = run(done("one"), step("two"));
    const after = keepSteps(before, run(done("one"), step("two", { status: "running", started_at: AT })));
    expect(after.steps[0]).toBe(before.steps[0]);
    expect(after.steps[1]).not.toBe(before.steps[1]);
  });

  it("keep the text of a model until its next try, and the waits between tries", () => {
    const store = createSeenStore();
    const of = { run_id: "run_1", step: "write", at: AT } as const;
    store.add([
      { type: "step.started", ...of },
      { type: "step.delta", ...of, text: "Once " },
      { type: "step.delta", ...of, text: "upon" },
    ]);
    expect(store.get().texts.get("write")).toBe("Once upon");
    const error = { code: "model_failed", message: "Overloaded." };
    store.add([
      { type: "step.retrying", ...of, at: LATER, attempt: 1, error, next_at: LATER },
      { type: "step.started", ...of, at: LATER },
    ]);
    expect(store.get().texts.has("write")).toBe(false);
    expect(store.get().tries.get("write")).toMatchObject([{ attempt: 1, startedAt: AT, at: LATER, item: null }]);
  });
});
