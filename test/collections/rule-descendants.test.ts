/** Rules whose workflows write records with rules: the runs that one write leads to are limited, like child runs. */
import { afterEach, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";

const LIMIT = 20;
const open: TestService[] = [];
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});

async function openLimited(): Promise<TestService> {
  const service = await createTestService({ limits: { descendantRuns: LIMIT } });
  open.push(service);
  return service;
}

const write = (key: string, action: string, input: object): Step => ({
  type: "service",
  key,
  service: { service: "records", action, input: { ...input } },
});

async function deploy({ stepwell, app }: TestService, steps: Step[]): Promise<string> {
  const { id } = await stepwell.workflows.create(app, { name: "Rule", steps });
  await stepwell.workflows.deploy(app, id);
  return id;
}

/** A collection whose rule runs the steps. */
async function collectionWithRule(t: TestService, steps: (collection_id: string) => Step[]) {
  const collection = (await t.stepwell.collections.create(t.app, { name: "Loans" })).id;
  const workflow = await deploy(t, steps(collection));
  const rules = [{ key: "writes", name: "Writes", workflow_id: workflow }];
  await t.stepwell.collections.update(t.app, collection, { config: { rules } });
  return { collection, workflow };
}

const creates = (collection_id: string) =>
  ["one", "two"].map((key) => write(key, "create", { collection_id, data: { a: { from: key } } }));

/** The runs of the workflow when no rule is pending any more. */
async function runsInTheEnd({ stepwell, app }: TestService, { collection = "", workflow = "" }) {
  const list = () => stepwell.records.list(app, collection, { take: 1_000 });
  const isPending = async () =>
    (await list()).items.some(({ rule_results }) => rule_results.some(({ result }) => result === "PENDING"));
  await expect.poll(isPending).toBe(false);
  const errors = (await list()).items.flatMap(({ rule_results }) => rule_results.map(({ error }) => error?.code));
  return { runs: (await stepwell.runs.listOfWorkflow(app, workflow, { take: 1_000 })).items.length, errors };
}

it("A rule that creates two records with the same rule starts limits.descendantRuns runs below its own", async () => {
  const t = await openLimited();
  const of = await collectionWithRule(t, creates);
  await t.stepwell.records.create(t.app, of.collection, { data: {} });
  const { runs, errors } = await runsInTheEnd(t, of);
  expect(runs).toBe(1 + LIMIT);
  expect(new Set(errors)).toEqual(new Set([undefined, "depth_limit", "descendant_limit"]));
  expect(errors).toHaveLength(1 + 2 * (1 + LIMIT));
});

it("A rule that changes its record twice starts limits.descendantRuns runs below its own", async () => {
  const t = await openLimited();
  const of = await collectionWithRule(t, (collection_id) =>
    ["one", "two"].map((key) => {
      const data = { a: { [key]: `{{ string(input.record.version) + "${key}" }}` } };
      return write(key, "update", { collection_id, record_id: "{{ input.record.id }}", data });
    }),
  );
  await t.stepwell.records.create(t.app, of.collection, { data: {} });
  const { runs, errors } = await runsInTheEnd(t, of);
  expect(runs).toBeLessThanOrEqual(1 + LIMIT);
  expect(errors.filter((code) => code !== undefined && !/^(depth|descendant)_limit$/.test(code))).toEqual([]);
});

it("The rules of records that a run writes count as its descendants", async () => {
  const t = await openLimited();
  const of = await collectionWithRule(t, creates);
  const root = await deploy(t, creates(of.collection));
  const { id } = await t.stepwell.runs.create(t.app, root, {});
  await t.stepwell.runs.wait(t.app, id);
  const { runs } = await runsInTheEnd(t, of);
  expect(runs).toBe(LIMIT);
});

it("Records of different writes don't share the limit", async () => {
  const t = await openLimited();
  const of = await collectionWithRule(t, () => [{ type: "note", key: "note", note: "Nothing" }]);
  for (let n = 0; n < LIMIT + 5; n++) await t.stepwell.records.create(t.app, of.collection, { data: {} });
  const { runs, errors } = await runsInTheEnd(t, of);
  expect({ runs, errors: new Set(errors) }).toEqual({ runs: LIMIT + 5, errors: new Set([undefined]) });
});
