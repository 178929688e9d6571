/** The run queue alone: random calls, after each of which its invariants must hold. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRunQueue, type QueueEntry } from "../../src/engine/dispatch/run-queue.ts";
import { isStepwellError } from "../../src/errors.ts";
import { createTestClock } from "../../src/testing/index.ts";

const clock = createTestClock();

const APPS = ["a", "b"] as const;
const WORKFLOWS = ["v", "w", "x"] as const;

interface Entered {
  readonly app_id: string;
  readonly workflow_id: string;
  readonly depth: number;
  readonly root_run_id?: string;
  readonly priority?: number;
}

interface Held extends Entered {
  readonly slot: QueueEntry;
  readonly isForced: boolean;
  isStored: boolean;
  begun: number;
}

const command = fc.record({
  do: fc.constantFrom(
    "enter",
    "enter",
    "reenter",
    "enterWithSlot",
    "store",
    "store",
    "release",
    "release again",
    "pause",
  ),
  app: fc.nat({ max: APPS.length - 1 }),
  workflow: fc.nat({ max: WORKFLOWS.length - 1 }),
  depth: fc.nat({ max: 1 }),
  root: fc.constantFrom("r", "s"),
  priority: fc.nat({ max: 2 }),
  which: fc.nat({ max: 100 }),
});

const limits = fc.record({
  concurrentRuns: fc.integer({ min: 1, max: 4 }),
  concurrentRunsPerApp: fc.integer({ min: 1, max: 4 }),
  concurrentRunsPerWorkflow: fc.integer({ min: 1, max: 4 }),
  childRuns: fc.integer({ min: 1, max: 4 }),
  queuedRuns: fc.integer({ min: 0, max: 4 }),
});

/** @param shared Limit for each app and each workflow. */
const limitsOf = (concurrentRuns: number, queuedRuns: number, shared = concurrentRuns) => ({
  ...{ concurrentRuns, queuedRuns, childRuns: 9 },
  ...{ concurrentRunsPerApp: shared, concurrentRunsPerWorkflow: shared },
});

describe("the run queue", () => {
  it("never exceeds a limit, leaves no usable slot unused, and loses no run under random calls", () => {
    fc.assert(
      fc.property(limits, fc.array(command, { maxLength: 80 }), (limit, commands) => {
        const queue = createRunQueue(limit, clock);
        const held: Held[] = [];
        const released: QueueEntry[] = [];
        let isPaused = false;

        const active = () => held.filter(({ slot }) => slot.hasSlot);
        const waiting = () => held.filter(({ slot }) => !slot.hasSlot);
        const counts = (of: readonly Held[], { app_id, workflow_id, depth, root_run_id }: Entered) => {
          const level = of.filter((one) => one.depth === depth);
          return {
            all: level.length,
            app: level.filter((one) => one.app_id === app_id).length,
            workflow: level.filter((one) => one.workflow_id === workflow_id).length,
            children: level.filter((one) => root_run_id !== undefined && one.root_run_id === root_run_id).length,
          };
        };
        const hasCapacityFor = (run: Entered) => {
          const { all, app, workflow, children } = counts(active(), run);
          return (
            all < limit.concurrentRuns &&
            app < limit.concurrentRunsPerApp &&
            workflow < limit.concurrentRunsPerWorkflow &&
            children < limit.childRuns
          );
        };

        function take(kind: "enter" | "reenter" | "enterWithSlot", run: Entered): void {
          const before = waiting().filter(({ depth }) => depth === run.depth);
          const hasCapacity = !isPaused && hasCapacityFor(run) && !before.some(({ app_id }) => app_id === run.app_id);
          try {
            const slot = queue[kind]({ ...run, parent_run_id: run.depth === 0 ? null : "run_1" });
            held.push({ ...run, slot, isForced: kind === "enterWithSlot", isStored: false, begun: 0 });
            expect(slot.hasSlot).toBe(kind === "enterWithSlot" || hasCapacity);
            const isLimited = kind === "enter" && run.depth === 0;
            if (isLimited && !slot.hasSlot) expect(before.length).toBeLessThan(limit.queuedRuns);
          } catch (error) {
            if (!isStepwellError(error, "too_many_requests")) throw error;
            expect([kind, run.depth]).toEqual(["enter", 0]);
            expect(hasCapacity).toBe(false);
            expect(before.length).toBeGreaterThanOrEqual(limit.queuedRuns);
          }
        }

        for (const one of commands) {
          const { depth } = one;
          const root = depth === 0 ? {} : { root_run_id: one.root };
          const run = {
            ...{ app_id: APPS[one.app] ?? "a", workflow_id: WORKFLOWS[one.workflow] ?? "v", depth },
            ...{ ...root, priority: one.priority },
          };
          const chosen = held[one.which % Math.max(1, held.length)];
          if (one.do === "enter" || one.do === "reenter" || one.do === "enterWithSlot") take(one.do, run);
          if (one.do === "store" && chosen !== undefined && !chosen.isStored) {
            chosen.isStored = true;
            chosen.slot.onSlot(() => {
              chosen.begun++;
            });
          }
          if (one.do === "release" && chosen !== undefined) {
            held.splice(held.indexOf(chosen), 1);
            released.push(chosen.slot);
            chosen.slot.release();
          }
          if (one.do === "release again") released[one.which % Math.max(1, released.length)]?.release();
          if (one.do === "pause") {
            isPaused = !isPaused;
            if (isPaused) queue.pause();
            else queue.resume();
          }

          for (const one of held) {
            if (one.isStored) expect(one.begun).toBe(one.slot.hasSlot ? 1 : 0);
            const others = active().filter(({ isForced }) => !isForced);
            const { all, app, workflow, children } = counts(others, one);
            expect(all).toBeLessThanOrEqual(limit.concurrentRuns);
            expect(app).toBeLessThanOrEqual(limit.concurrentRunsPerApp);
            expect(workflow).toBeLessThanOrEqual(limit.concurrentRunsPerWorkflow);
            expect(children).toBeLessThanOrEqual(limit.childRuns);
            if (!one.slot.hasSlot && one.isStored) expect(isPaused || !hasCapacityFor(one)).toBe(true);
          }
        }

        // After all slots are released, all of them are free again.
        isPaused = false;
        queue.resume();
        for (const { slot } of held.splice(0).reverse()) slot.release();
        const most = Math.min(limit.concurrentRuns, limit.concurrentRunsPerApp, limit.concurrentRunsPerWorkflow);
        for (let count = 0; count < most; count++) take("enter", { app_id: "a", workflow_id: "v", depth: 0 });
        expect(active()).toHaveLength(most);
        for (let count = 0; count < limit.queuedRuns + 1; count++)
          take("enter", { app_id: "a", workflow_id: "v", depth: 0 });
        expect(waiting()).toHaveLength(limit.queuedRuns);
      }),
      { numRuns: 400 },
    );
  });

  it("gives slots to runs of an app with a higher priority first, and others of the same priority in order", () => {
    const queue = createRunQueue(limitsOf(1, 9, 9), clock);
    const order: string[] = [];
    const enter = (name: string, priority: number) => {
      const entry = queue.enter({ app_id: "a", workflow_id: "v", parent_run_id: null, depth: 0, priority });
      entry.onSlot(() => {
        order.push(name);
        entry.release();
      });
    };
    const first = queue.enter({ app_id: "a", workflow_id: "v", parent_run_id: null, depth: 0 });
    enter("low", -1);
    enter("normal", 0);
    enter("high", 5);
    enter("high again", 5);
    first.release();
    expect(order).toEqual(["high", "high again", "normal", "low"]);
  });

  it("has separate slots for each nesting level, so that no run waits for a slot of its parents", () => {
    const queue = createRunQueue(limitsOf(1, 0), clock);
    const enter = (depth: number) =>
      queue.enter({ app_id: "a", workflow_id: "w", parent_run_id: depth === 0 ? null : "run_1", depth });
    const chain = [0, 1, 2, 3].map(enter);
    expect(chain.map(({ hasSlot }) => hasSlot)).toEqual([true, true, true, true]);
    expect(() => enter(0)).toThrow("The queue is full: 0 runs are queued.");
    const siblings = [enter(3), enter(3)];
    for (const sibling of siblings) sibling.onSlot(() => undefined);
    expect(siblings.map(({ hasSlot }) => hasSlot)).toEqual([false, false]);
    chain[3]?.release();
    expect(siblings.map(({ hasSlot }) => hasSlot)).toEqual([true, false]);
    chain[0]?.release();
    expect(enter(0).hasSlot).toBe(true);
    expect(siblings.map(({ hasSlot }) => hasSlot)).toEqual([true, false]);
  });

  it("counts the run of a rule on the level below the run that wrote the record", () => {
    const queue = createRunQueue(limitsOf(1, 0), clock);
    const run = { app_id: "a", workflow_id: "w", parent_run_id: null };
    expect(queue.enter({ ...run, depth: 0 }).hasSlot).toBe(true);
    expect(queue.enter({ ...run, depth: 1 }).hasSlot).toBe(true);
    expect(() => queue.enter({ ...run, depth: 1 })).toThrow("The queue is full: 0 runs are queued.");
  });

  it("holds back child runs while it is paused, except those that enter with a slot", () => {
    const queue = createRunQueue(limitsOf(2, 0), clock);
    const child = { app_id: "a", workflow_id: "w", parent_run_id: "run_1", depth: 1 };
    queue.pause();
    expect(queue.enterWithSlot(child).hasSlot).toBe(true);
    const [begun, given] = [queue.reenter(child), queue.reenter(child)];
    const order: string[] = [];
    begun.onSlot(() => order.push("begun"));
    given.onSlot(() => order.push("given back"));
    given.release();
    expect(begun.hasSlot).toBe(false);
    queue.resume();
    expect(begun.hasSlot).toBe(true);
    expect(order).toEqual(["begun"]);
  });

  it("gives slots to apps in turn", () => {
    const queue = createRunQueue(limitsOf(1, 9, 9), clock);
    const order: string[] = [];
    const slots = ["a", "a", "a", "b", "a", "b"].map((app_id, index) => {
      const slot = queue.enter({ app_id, workflow_id: "w", parent_run_id: null, depth: 0 });
      slot.onSlot(() => order.push(`${app_id}${index}`));
      return slot;
    });
    for (let count = 0; count < slots.length; count++) slots.find(({ hasSlot }) => hasSlot)?.release();
    expect(order).toEqual(["a0", "a1", "b3", "a2", "b5", "a4"]);
  });
});
