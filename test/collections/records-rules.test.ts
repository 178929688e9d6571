/** Rules of collections: whatever their workflows do, the record is stored and shows the results known so far. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CollectionRecord, Step } from "../../src/index.ts";
import { createTestClock, createTestService, type TestClock, type TestService } from "../../src/testing/index.ts";
import { turnEventLoop } from "../support/event-loop.ts";
import { silent } from "../support/storage/open.ts";
import { until } from "../support/until.ts";

let clock: TestClock;
let t: TestService;
beforeEach(async () => {
  clock = createTestClock();
  t = await createTestService({ clock });
});
afterEach(() => t.close());

async function workflow(steps: Step[]): Promise<string> {
  const { id } = await t.stepwell.workflows.create(t.app, { name: "Rule", steps });
  await t.stepwell.workflows.deploy(t.app, id);
  return id;
}

type RuleInput = { key: string; workflow_id: string } & Record<string, unknown>;

const withRules = async (...rules: RuleInput[]) =>
  (
    await t.stepwell.collections.create(t.app, {
      name: "Loans",
      config: { rules: rules.map((rule) => ({ name: rule.key, ...rule })) },
    })
  ).id;

const code = (text: string): Step => ({ type: "code", key: "code", code: text });
const call = (key: string, action: string, input: object): Step => ({
  type: "service",
  key,
  service: { service: "records", action, input: { ...input } },
});
/** Waits for input that nobody has to provide. */
const HANGS: Step[] = [
  { type: "input", key: "in", input: {}, destinations: ["ask"] },
  { type: "input", key: "ask", input: { ok: { type: "boolean" } } },
];

const results = ({ rule_results }: CollectionRecord) => rule_results.map(({ key, result }) => `${key} ${result}`);
const read = (collection: string, record: string) => t.stepwell.records.get(t.app, collection, record);

/** Expects the results that the record has in the end. */
const becomes = (collection: string, record: string) =>
  expect.poll(async () => results(await read(collection, record)));

/** Advances the clock until the promise settles. */
async function settled<T>(promise: Promise<T>, step = "1s"): Promise<T> {
  let isOver = false;
  const over = promise.finally(() => {
    isOver = true;
  });
  over.catch(() => {});
  while (!isOver) {
    await turnEventLoop();
    if (!isOver) await clock.advance(step);
  }
  return over;
}

describe("a rule", () => {
  it("passes or fails by the output of its workflow", async () => {
    const outputs = {
      ...{ true: "PASS", 1: "PASS", '"no"': "PASS", "{}": "PASS", "[]": "PASS", "{ passed: true }": "PASS" },
      ...{ "{ passed: 'no' }": "FAIL", "{ passed: 1 }": "FAIL", "{ passed: null }": "FAIL", "{ passed: 0 }": "FAIL" },
      ...{ "{ passed: false, why: 'x' }": "FAIL", false: "FAIL", 0: "FAIL", '""': "FAIL", null: "FAIL" },
    };
    const rules = Object.keys(outputs).map(async (output) => {
      return { key: output, workflow_id: await workflow([code(`return ${output}`)]), on_fail: "FAIL" };
    });
    const collection = await withRules(...(await Promise.all(rules)));
    const record = await t.stepwell.records.create(t.app, collection, {});
    expect(results(record)).toEqual(Object.entries(outputs).map(([output, result]) => `${output} ${result}`));
  });

  it("gives ERROR with the reason if its workflow fails or refuses the input, and nothing once its workflow is deleted", async () => {
    const { stepwell, app } = t;
    const fails = await workflow([code("throw new Error('broken')")]);
    const draft = (await stepwell.workflows.create(app, { name: "Draft", steps: [code("return 1")] })).id;
    const gone = await workflow([code("return 1")]);
    const start: Step = { type: "input", key: "start", input: {} };
    const strict = await workflow([start]);
    const other = await workflow([start]);
    const good = await workflow([code("return true")]);
    const collection = await withRules(
      { key: "fails", workflow_id: fails },
      { key: "draft", workflow_id: draft },
      { key: "gone", workflow_id: gone },
      { key: "strict", workflow_id: strict },
      { key: "start", workflow_id: other, step_key: "start" },
      { key: "good", workflow_id: good },
    );
    await stepwell.workflows.remove(app, gone, { force: true });
    const deploy = async (id: string, input: Step) => {
      await stepwell.workflows.putDraft(app, id, { steps: [input] });
      await stepwell.workflows.deploy(app, id);
    };
    await deploy(strict, { ...start, input: { amount: { type: "number" } } });
    await deploy(other, { ...start, key: "elsewhere" });
    const record = await stepwell.records.create(app, collection, { data: { a: { b: 1 } } });
    expect(results(record)).toEqual(["fails ERROR", "draft ERROR", "strict ERROR", "start ERROR", "good PASS"]);
    const errors = record.rule_results.map(({ error }) => error?.code);
    expect(errors).toEqual(["code_failed", "conflict", "invalid", "invalid", undefined]);
    expect(record.rule_results[0]?.error?.message).toContain("broken");
    expect(record.rule_results[2]?.error?.message).toContain("/input/");
    expect((await read(collection, record.id)).data).toEqual({ a: { b: 1 } });
  });

  it("runs before the rules of later groups, which see its result", async () => {
    const slow = await workflow([code("for (let i = 0; i < 1e5; i++); return true")]);
    const sees = await workflow([
      code("return input.record.rule_results.every(r => r.key !== 'first' || r.result === 'PASS')"),
    ]);
    const collection = await withRules(
      { key: "last", workflow_id: sees, execution_order: "after-all" },
      { key: "middle", workflow_id: sees },
      { key: "first", workflow_id: slow, execution_order: "before-all" },
    );
    expect(results(await t.stepwell.records.create(t.app, collection, {}))).toEqual([
      "first PASS",
      "middle PASS",
      "last PASS",
    ]);
  });

  it("runs the version and the input step that it names", async () => {
    const { stepwell, app } = t;
    const record = { type: "object", fields: {}, additional_fields: true } as const;
    const start = (key: string): Step => ({
      type: "input",
      key,
      input: { record, n: { type: "number" } },
      destinations: [`after_${key}`],
    });
    const behind = (key: string, text: string): Step => ({ type: "code", key: `after_${key}`, code: text });
    const id = await workflow([
      start("a"),
      behind("a", "return false"),
      start("b"),
      behind("b", "return input.n === 3"),
    ]);
    const versions = (await stepwell.workflows.listVersions(app, id)).items;
    await stepwell.workflows.putDraft(app, id, { steps: [code("return false")] });
    await stepwell.workflows.deploy(app, id);
    const collection = await withRules({
      ...{ key: "r", workflow_id: id, workflow_version_id: versions[0]?.id },
      ...{ step_key: "b", workflow_input_default: { n: 3 } },
    });
    expect(results(await stepwell.records.create(app, collection, { data: { x: { y: 1 } } }))).toEqual(["r PASS"]);
  });

  it("that hangs stays PENDING, times out after ten minutes, and blocks no other rule", async () => {
    const { stepwell, app } = t;
    const hangs = await workflow(HANGS);
    const good = await workflow([call("looks", "list", { collection_id: "{{ input.record.collection_id }}" })]);
    const collection = await withRules({ key: "hangs", workflow_id: hangs }, { key: "good", workflow_id: good });
    const begun = clock.now();
    const record = await settled(stepwell.records.create(app, collection, { data: { a: { b: 1 } } }));
    expect(results(record)).toEqual(["hangs PENDING", "good PASS"]);
    expect(clock.now() - begun).toBeLessThan(60_000);
    const run = record.rule_results[0]?.run_id ?? "";
    expect((await stepwell.runs.get(app, run)).status).toBe("waiting");
    await clock.advance("10m");
    await becomes(collection, record.id).toEqual(["hangs ERROR", "good PASS"]);
    expect((await read(collection, record.id)).rule_results[0]?.error?.code).toBe("timeout");
    expect((await stepwell.runs.get(app, run)).status).toBe("canceled");
  });

  it("that waits for input records its result when it ends, and is canceled if the record changes", async () => {
    const { stepwell, app } = t;
    const hangs = await workflow(HANGS);
    const collection = await withRules({ key: "hangs", workflow_id: hangs });
    const first = await settled(stepwell.records.create(app, collection, {}));
    const second = await settled(stepwell.records.update(app, collection, first.id, { data: { a: { b: 1 } } }));
    const [older, newer] = [first, second].map(({ rule_results }) => rule_results[0]?.run_id ?? "");
    expect(older).not.toBe(newer);
    expect((await stepwell.runs.get(app, older ?? "")).status).toBe("canceled");
    expect(results(await read(collection, first.id))).toEqual(["hangs PENDING"]);
    await stepwell.runs.provide(app, newer ?? "", "ask", { ok: true });
    await becomes(collection, first.id).toEqual(["hangs PASS"]);
  });
});

describe("the rules of many records", () => {
  it("run for 1,000 records of an app at once, and for the others as soon as one of these has its results", async () => {
    const { stepwell, app } = t;
    const workflow_id = await workflow(HANGS);
    const collection = await withRules({ key: "hangs", workflow_id });
    const operations = Array.from({ length: 1_000 }, () => ({ op: "create" as const, data: { a: { b: 1 } } }));
    await stepwell.records.bulk(app, collection, { operations });
    await stepwell.records.bulk(app, collection, { operations: operations.slice(0, 2) });
    const runs = async () => (await stepwell.runs.list(app, { take: 1 })).total;
    await expect.poll(runs).toBe(1_000);
    const other = await stepwell.apps.create({ name: "Other" });
    const free = await stepwell.collections.create(other.id, { name: "Free" });
    await stepwell.records.create(other.id, free.id, { data: { a: { b: 1 } } });
    expect(await runs()).toBe(1_000);
    const [run] = (await stepwell.runs.list(app, { take: 1 })).items;
    await stepwell.runs.cancel(app, run?.id ?? "");
    await expect.poll(runs).toBe(1_001);
  });
});

describe("a rule whose workflow writes records", () => {
  const own = { collection_id: "{{ input.record.collection_id }}", record_id: "{{ input.record.id }}" };

  it("may remove its own record; the creation still returns what was written", async () => {
    const removes = await workflow([call("gone", "delete", own)]);
    const good = await workflow([code("return true")]);
    const collection = await withRules(
      { key: "removes", workflow_id: removes, execution_order: "before-all" },
      { key: "good", workflow_id: good },
    );
    const record = await t.stepwell.records.create(t.app, collection, { data: { a: { b: 1 } } });
    expect(record.data).toEqual({ a: { b: 1 } });
    await expect(read(collection, record.id)).rejects.toMatchObject({ code: "not_found" });
    expect((await t.stepwell.runs.listOfWorkflow(t.app, good)).items).toEqual([]);
    expect((await t.stepwell.collections.get(t.app, collection)).records_count).toBe(0);
  });

  it("may correct its own record: it runs again until nothing changes", async () => {
    const upper = await workflow([
      call("set", "update", { ...own, data: { a: { name: "{{ input.record.data.a.name.upperAscii() }}" } } }),
    ]);
    const collection = await withRules({ key: "upper", workflow_id: upper });
    const record = await t.stepwell.records.create(t.app, collection, { data: { a: { name: "zoe" } } });
    expect(record.data).toEqual({ a: { name: "ZOE" } });
    await becomes(collection, record.id).toEqual(["upper PASS"]);
    expect((await t.stepwell.runs.listOfWorkflow(t.app, upper)).items).toHaveLength(2);
  });

  it("is awaited by a write that changes nothing, unless the rule itself makes that write", async () => {
    const hangs = await workflow(HANGS);
    const collection = await withRules({ key: "waits", workflow_id: hangs });
    const first = t.stepwell.records.create(t.app, collection, { data: { a: { n: 1 } } });
    await expect.poll(async () => (await t.stepwell.runs.listOfWorkflow(t.app, hangs)).items.length).toBe(1);
    const [{ id = "" } = {}] = (await t.stepwell.records.list(t.app, collection)).items;
    const again = t.stepwell.records.update(t.app, collection, id, { data: { a: { n: 1 } } });
    const [run] = (await t.stepwell.runs.listOfWorkflow(t.app, hangs)).items;
    await expect.poll(async () => (await t.stepwell.runs.get(t.app, run?.id ?? "")).status).toBe("waiting");
    await t.stepwell.runs.provide(t.app, run?.id ?? "", "ask", { ok: true });
    expect([results(await first), results(await again)]).toEqual([["waits PASS"], ["waits PASS"]]);

    const same = await workflow([call("set", "update", { ...own, data: { a: { n: 1 } } })]);
    const quick = await withRules({ key: "same", workflow_id: same });
    expect(results(await t.stepwell.records.create(t.app, quick, { data: { a: { n: 1 } } }))).toEqual(["same PASS"]);
  });

  it("gives ERROR after 16 levels when each of its writes triggers it again", async () => {
    const counts = await workflow([
      call("set", "update", { ...own, data: { a: { n: "{{ input.record.data.a.n + 1 }}" } } }),
    ]);
    const collection = await withRules({ key: "counts", workflow_id: counts });
    const record = await settled(t.stepwell.records.create(t.app, collection, { data: { a: { n: 0 } } }));
    await becomes(collection, record.id).toEqual(["counts ERROR"]);
    const { data, rule_results } = await read(collection, record.id);
    expect(rule_results[0]?.error?.code).toBe("depth_limit");
    expect(data).toEqual({ a: { n: 16 } });
  });
});

describe("a rule that is pending when the process ends", () => {
  it("ends in the next process, with one run for each rule", async () => {
    const { stepwell, app } = t;
    const hangs = await workflow(HANGS);
    const good = await workflow([code("return true")]);
    const collection = await withRules(
      { key: "hangs", workflow_id: hangs },
      { key: "after", workflow_id: good, execution_order: "after-all" },
    );
    const record = await settled(stepwell.records.create(app, collection, {}));
    const run = record.rule_results[0]?.run_id ?? "";
    const next = await t.crash();
    await t.close();
    t = next;
    expect(results(await read(collection, record.id))).toEqual(["hangs PENDING", "after PENDING"]);
    await t.stepwell.runs.provide(app, run, "ask", { ok: true });
    await becomes(collection, record.id).toEqual(["hangs PASS", "after PASS"]);
    for (const id of [hangs, good]) expect((await t.stepwell.runs.listOfWorkflow(app, id)).items).toHaveLength(1);
    const another = await t.crash();
    expect(results(await another.stepwell.records.get(app, collection, record.id))).toEqual([
      "hangs PASS",
      "after PASS",
    ]);
    await another.close();
  });

  it("has one run and one result for each write, wherever the process ended", async () => {
    const note = await workflow([{ type: "note", key: "n", note: "" }]);
    const looks = await workflow([call("l", "list", { collection_id: "{{ input.record.collection_id }}" })]);
    const collection = await withRules(
      { key: "a", workflow_id: note, execution_order: "before-all" },
      { key: "b", workflow_id: looks },
      { key: "c", workflow_id: note },
    );
    const everyone = async () => (await t.stepwell.records.list(t.app, collection)).items;
    const all = "a WARN, c WARN, b PASS".split(", ").sort().join();
    for (let moment = 0; moment < 40; moment++) {
      const written = t.stepwell.records.create(t.app, collection, { data: { n: { moment } } });
      for (let tick = 0; tick < moment; tick++) await Promise.resolve();
      if (moment >= 30) await turnEventLoop(5 * (moment - 30));
      const next = await t.crash();
      await written;
      await t.close();
      t = next;
      const finished = async () => (await everyone()).every((one) => results(one).sort().join() === all);
      await expect.poll(finished).toBe(true);
    }
    const records = await everyone();
    expect(records.length).toBeGreaterThan(10);
    const runs = records.flatMap(({ rule_results }) => rule_results.map(({ run_id }) => run_id));
    expect(new Set(runs).size).toBe(runs.length);
    const counts = [note, looks].map(async (id) => (await t.stepwell.runs.listOfWorkflow(t.app, id)).items.length);
    expect(await Promise.all(counts)).toEqual([2 * records.length, records.length]);
  });

  it("gives ERROR if the rule was removed meanwhile", async () => {
    const { stepwell, app } = t;
    const hangs = await workflow(HANGS);
    const collection = await withRules({ key: "hangs", workflow_id: hangs });
    const record = await settled(stepwell.records.create(app, collection, {}));
    await stepwell.collections.update(app, collection, { config: { rules: [] } });
    const next = await t.crash();
    await t.close();
    t = next;
    await becomes(collection, record.id).toEqual(["hangs ERROR"]);
  });
});

it("wait for room in the queue of runs, without a failure in the log", async () => {
  const logged: string[] = [];
  const logger = { ...silent, error: (message: string) => void logged.push(message) };
  const small = await createTestService({ limits: { concurrentRuns: 1, queuedRuns: 2 }, logger, clock });
  const { id: rule } = await small.stepwell.workflows.create(small.app, {
    name: "Rule",
    steps: [code("return 'PASS'")],
  });
  await small.stepwell.workflows.deploy(small.app, rule);
  const { id } = await small.stepwell.collections.create(small.app, {
    name: "Loans",
    config: { rules: [{ key: "a", name: "A", workflow_id: rule }] },
  });
  const operations = Array.from({ length: 20 }, () => ({ op: "create" as const, data: { a: { n: 1 } } }));
  await small.stepwell.records.bulk(small.app, id, { operations });
  const all = async () => (await small.stepwell.records.list(small.app, id, { take: 100 })).items.flatMap(results);
  await until(async () => {
    await clock.advance("1s");
    return (await all()).every((result) => result === "a PASS");
  });
  expect(logged).toEqual([]);
  await small.close();
});
