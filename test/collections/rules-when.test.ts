/** Rules that name fields in `when`: they run if one of them has changed since their last result, and only then. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecordDocument, StoredResult } from "../../src/collections/records/record.ts";
import {
  applyChange,
  createRecord,
  reevaluate,
  type WriteContext,
} from "../../src/collections/records/record-changes.ts";
import { createBasisOf } from "../../src/collections/records/rules/rule-basis.ts";
import type { Rule } from "../../src/collections/rule.ts";
import type { CollectionRecord, Step } from "../../src/index.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";
import { sharedSandbox } from "../support/engine/shared-sandbox.ts";
import { turnEventLoop } from "../support/event-loop.ts";

const FIELDS = ["a", "b", "c"];
const GROUPS = ["before-all", "default", "after-all"] as const;

describe("any writes, results and changes of rules", () => {
  const rule = fc.record({
    key: fc.constantFrom("one", "two", "three"),
    when: fc.option(fc.uniqueArray(fc.constantFrom(...FIELDS), { minLength: 1 })),
    execution_order: fc.constantFrom(...GROUPS),
    on_fail: fc.constantFrom("WARN" as const, "FAIL" as const),
    disabled: fc.boolean(),
  });
  const rules = fc.uniqueArray(rule, { selector: ({ key }) => key });
  const operation = fc.oneof(
    { weight: 4, arbitrary: fc.record({ write: fc.dictionary(fc.constantFrom(...FIELDS), fc.option(fc.nat(2))) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        settle: fc.uniqueArray(fc.constantFrom("one", "two", "three")),
        isStarted: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ rules }) },
    { weight: 1, arbitrary: fc.constant({ evaluate: true as const }) },
  );
  const sha256 = (text: string) => text;

  interface Shape extends Pick<Rule, "key" | "execution_order" | "on_fail" | "disabled"> {
    readonly when: string[] | null;
  }
  const toRule = ({ when, ...rest }: Shape): Rule => ({
    ...{ name: rest.key, on_success: "PASS", workflow_id: "work_1" },
    ...{ workflow_use_latest: true, workflow_input_default: {} },
    ...rest,
    ...(when === null ? {} : { when: when.map((field) => `e:${field}`) }),
  });

  /** What the model knows of a result with a run. */
  interface Settled {
    readonly isPending: boolean;
    readonly run: string;
    readonly rule: string;
    readonly values: string;
  }

  it("keep a result exactly while the rule and the fields it names stay as they were", () => {
    fc.assert(
      fc.property(rules, fc.array(operation, { maxLength: 30 }), (first, operations) => {
        let defined = first.map(toRule);
        let runs = 0;
        const withRun = new Map<string, Settled>();
        /** Runs to be canceled before the rule runs. */
        const superseded = new Map<string, string>();
        const context = (): WriteContext => ({
          collection: {
            ...{ id: "coll_1", app_id: "app_1" },
            config: { id: "conf_1", rules: defined, mappings: [], created_at: "", updated_at: "" },
          },
          ...{ author: { type: "in_process" }, nesting: { depth: 0, root_run_id: null }, guards: [], now: "", sha256 },
        });
        const valuesOf = ({ data }: RecordDocument, { when = [] }: Rule) =>
          JSON.stringify(when.map((path) => data["e"]?.[path.slice(2)]));
        let record = createRecord({ id: "rec_1", unique_keys: [] }, { data: { e: { a: 0 } } }, context());

        /** What each enabled rule must show: its run, or that it is pending. */
        function check(isKept: (rule: Rule) => boolean): void {
          const enabled = GROUPS.flatMap((group) => defined.filter((one) => one.execution_order === group)).filter(
            ({ disabled }) => !disabled,
          );
          const shown = (one: Rule, known: Settled | undefined) =>
            isKept(one) ? `${known?.isPending ? "PENDING " : ""}${known?.run}` : "PENDING null";
          const expected = enabled.map((one) => `${one.key} ${shown(one, withRun.get(one.key))}`);
          expect(
            record.rule_results.map(
              ({ key, result, run_id }) => `${key} ${result === "PENDING" ? `PENDING ${run_id}` : run_id}`,
            ),
          ).toEqual(expected);
          for (const { key, superseded_run_id = null } of record.rule_results) {
            const known = withRun.get(key);
            const isOutdated = known?.isPending && !enabled.some((one) => one.key === key && isKept(one));
            expect(superseded_run_id).toBe(isOutdated ? known.run : (superseded.get(key) ?? null));
            if (isOutdated) superseded.set(key, known.run);
          }
          for (const { key, run_id } of record.rule_results) if (run_id === null) withRun.delete(key);
          for (const key of [...withRun.keys(), ...superseded.keys()]) {
            if (record.rule_results.some((result) => result.key === key)) continue;
            withRun.delete(key);
            superseded.delete(key);
          }
        }
        function started(result: StoredResult, rule: Rule): StoredResult {
          const run_id = `run_${++runs}`;
          const basis = createBasisOf(record.data, sha256)(rule);
          const values = valuesOf(record, rule);
          withRun.set(rule.key, { isPending: true, run: run_id, rule: JSON.stringify(rule), values });
          return { ...result, run_id, ...(basis === undefined ? {} : { basis }) };
        }
        check(() => false);
        for (const one of operations) {
          if ("rules" in one) defined = one.rules.map(toRule);
          else if ("settle" in one) {
            const rule_results = record.rule_results.map((result): StoredResult => {
              const rule = defined.find(({ key }) => key === result.key);
              if (rule === undefined || result.result !== "PENDING" || !one.settle.some((key) => key === result.key))
                return result;
              const { superseded_run_id: _, ...begun } = result.run_id === null ? started(result, rule) : result;
              superseded.delete(rule.key);
              if (one.isStarted) return begun;
              const known = withRun.get(rule.key);
              const isSame = known?.rule === JSON.stringify(rule);
              if (known !== undefined)
                withRun.set(rule.key, { ...known, isPending: false, rule: isSame ? known.rule : "" });
              return { ...begun, result: "PASS", ...(begun.basis !== undefined && !isSame ? { basis: "" } : {}) };
            });
            record = { ...record, rule_results };
          } else if ("evaluate" in one) {
            record = reevaluate(record, context());
            check(() => false);
          } else {
            const before = record;
            record = applyChange(record, { data: { e: one.write as Record<string, number> } }, context());
            if (record === before) continue;
            check((rule) => {
              const known = withRun.get(rule.key);
              const isSame = known?.rule === JSON.stringify(rule) && known.values === valuesOf(record, rule);
              return rule.when !== undefined && isSame;
            });
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("a rule with when", () => {
  let t: TestService;
  let passes: string;
  beforeEach(async () => {
    t = await createTestService({ sandbox: sharedSandbox });
    passes = await workflow([{ type: "code", key: "code", code: "return true" }]);
  });
  afterEach(() => t.close());

  async function workflow(steps: Step[]): Promise<string> {
    const { id } = await t.stepwell.workflows.create(t.app, { name: "Rule", steps });
    await t.stepwell.workflows.deploy(t.app, id);
    return id;
  }
  const rule = (key: string, more: object = {}) => ({ key, name: key, workflow_id: passes, ...more });
  const withRules = async (...rules: ReturnType<typeof rule>[]) =>
    (await t.stepwell.collections.create(t.app, { name: "Loans", config: { rules } })).id;
  const write = (collection: string, { id }: { id: string }, e: Record<string, number>) =>
    t.stepwell.records.update(t.app, collection, id, { data: { e } });
  const runOf = ({ rule_results }: CollectionRecord, key: string) =>
    rule_results.find((result) => result.key === key)?.run_id;

  it("keeps its result while other fields and tags change, and shows nothing else of it", async () => {
    const collection = await withRules(rule("watches", { when: ["e:a", "e:none"] }), rule("always"));
    const first = await t.stepwell.records.create(t.app, collection, { data: { e: { a: 1, b: 1 } } });
    const second = await write(collection, first, { b: 2 });
    expect(second.rule_results[0]).toEqual(first.rule_results[0]);
    expect(Object.keys(second.rule_results[0] ?? {})).toEqual(Object.keys(second.rule_results[1] ?? {}));
    expect(runOf(second, "always")).not.toBe(runOf(first, "always"));
    const tag = await t.stepwell.tags.create(t.app, { name: "tag" });
    const tagged = await t.stepwell.records.update(t.app, collection, first.id, { tags: [tag.id] });
    expect(runOf(tagged, "watches")).toBe(runOf(first, "watches"));
    const third = await write(collection, first, { a: 2 });
    expect(runOf(third, "watches")).not.toBe(runOf(first, "watches"));
    expect(third.rule_results.map(({ result }) => result)).toEqual(["PASS", "PASS"]);
    const again = await t.stepwell.records.evaluate(t.app, collection, first.id);
    expect(runOf(again, "watches")).not.toBe(runOf(third, "watches"));
  });

  it("runs at the next write after it was changed, but not if only its name was", async () => {
    const collection = await withRules(rule("r", { when: ["e:a"] }));
    const first = await t.stepwell.records.create(t.app, collection, { data: { e: { a: 1 } } });
    await t.stepwell.rules.update(t.app, collection, "r", { name: "Renamed" });
    const renamed = await write(collection, first, { b: 1 });
    expect(renamed.rule_results).toEqual([{ ...first.rule_results[0], name: "Renamed" }]);
    await t.stepwell.rules.update(t.app, collection, "r", { on_success: "WARN" });
    expect(await t.stepwell.records.get(t.app, collection, first.id)).toEqual(renamed);
    const changed = await write(collection, first, { b: 2 });
    expect(changed.rule_results).toMatchObject([{ result: "WARN" }]);
    await t.stepwell.rules.create(t.app, collection, rule("new", { when: ["e:a"] }));
    const added = await write(collection, first, { b: 3 });
    expect(added.rule_results.map(({ result }) => result)).toEqual(["WARN", "PASS"]);
    expect(runOf(added, "r")).toBe(runOf(changed, "r"));
    await t.stepwell.rules.update(t.app, collection, "r", { when: null });
    const always = await write(collection, first, { b: 4 });
    expect(runOf(always, "r")).not.toBe(runOf(changed, "r"));
    expect(runOf(always, "new")).toBe(runOf(added, "new"));
  });

  it("runs in its group: what is due sees the results of earlier groups, kept or new", async () => {
    const sees = await workflow([
      {
        ...{ type: "code", key: "code" },
        code: "return input.record.rule_results.slice(0, 1).every(({ result }) => result === 'PASS')",
      },
    ]);
    const last = { workflow_id: sees, execution_order: "after-all", when: ["e:b"], on_fail: "FAIL" };
    const collection = await withRules(
      rule("last", last),
      rule("first", { execution_order: "before-all", when: ["e:a"] }),
    );
    const record = await t.stepwell.records.create(t.app, collection, { data: { e: { a: 1, b: 1 } } });
    for (const change of [{ b: 2 }, { a: 2 }, { a: 3, b: 3 }, { a: 4, b: 4, c: 1 }]) {
      const { rule_results } = await write(collection, record, change);
      expect(rule_results.map(({ key, result }) => `${key} ${result}`)).toEqual(["first PASS", "last PASS"]);
    }
    expect((await t.stepwell.runs.listOfWorkflow(t.app, sees)).items).toHaveLength(4);
    expect((await t.stepwell.runs.listOfWorkflow(t.app, passes)).items).toHaveLength(4);
  });

  it("that could not be run is due at the next write", async () => {
    const { id } = await t.stepwell.workflows.create(t.app, { name: "Draft", steps: [] });
    const collection = await withRules(rule("draft", { workflow_id: id, when: ["e:a"] }));
    const record = await t.stepwell.records.create(t.app, collection, {});
    expect(record.rule_results).toMatchObject([{ result: "ERROR" }]);
    await t.stepwell.workflows.deploy(t.app, id);
    expect((await write(collection, record, { b: 1 })).rule_results).toMatchObject([{ result: "WARN", error: null }]);
  });

  it.each([
    ["/config/rules/0/when", []],
    ["/config/rules/0/when", "e:a"],
    ["/config/rules/0/when/1", ["e:a", "e"]],
    ["/config/rules/0/when/0", ["__proto__:a"]],
    ["/config/rules/0/when", Array.from({ length: 101 }, (_, index) => `e:${index}`)],
  ])("is refused at %s", async (pointer, when) => {
    await expect(withRules(rule("r", { when }))).rejects.toMatchObject({ errors: [{ pointer }] });
  });

  it("reads a large value once, however many rules name it", async () => {
    let digested = 0;
    const basisOf = createBasisOf({ e: { a: "x".repeat(100_000) } }, (text) => {
      digested += text.length;
      return "digest";
    });
    for (let index = 0; index < 500; index++) basisOf({ ...(rule("r", { when: ["e:a"] }) as unknown as Rule) });
    expect(digested).toBeLessThan(300_000);
  });

  it("has in the end a result of the fields as they are, wherever processes ended", async () => {
    const keys = FIELDS.map((field) => rule(field, { when: [`e:${field}`] }));
    const collection = await withRules(...keys, rule("all"));
    const { id } = await t.stepwell.records.create(t.app, collection, { data: { e: { a: 0, b: 0, c: 0 } } });
    const read = () => t.stepwell.records.get(t.app, collection, id);
    for (const moment of [0, 1, 2, 3, 5, 8, 10, 13]) {
      const field = FIELDS[moment % 3] ?? "";
      const written = write(collection, { id }, { [field]: moment + 1 });
      const another = moment % 2 === 0 ? write(collection, { id }, { other: moment }) : written;
      for (let tick = 0; tick < 4 * moment; tick++) await Promise.resolve();
      if (moment >= 10) await turnEventLoop(10 * (moment - 10));
      const next = await t.crash();
      await Promise.allSettled([written, another]);
      await t.close();
      t = next;
      if (moment % 5 !== 0) continue;
      await expect.poll(async () => (await read()).rule_results.every(({ result }) => result === "PASS")).toBe(true);
      const record = await read();
      for (const [index, key] of FIELDS.entries()) {
        const run = await t.stepwell.runs.get(t.app, runOf(record, key) ?? "");
        const seen = run.input["record"] as unknown as CollectionRecord;
        expect(seen.data["e"]?.[key], `${moment} ${index}`).toEqual(record.data["e"]?.[key]);
      }
    }
  });
});
