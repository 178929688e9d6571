/** Records that steps write: rules run while the runs that wait for them hold all slots. */
import { expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { createTestService } from "../../src/testing/index.ts";

it("rules of records that runs write finish while these runs hold all slots", async () => {
  const t = await createTestService({ limits: { concurrentRuns: 2 } });
  const { stepwell, app } = t;
  async function workflow(...steps: Step[]): Promise<string> {
    const { id } = await stepwell.workflows.create(app, { name: "Records", steps });
    await stepwell.workflows.deploy(app, id);
    return id;
  }
  async function collection(rule: string): Promise<string> {
    const config = { rules: [{ name: "Rule", key: "rule", workflow_id: rule }] };
    return (await stepwell.collections.create(app, { name: "Checked", config })).id;
  }
  const create = (collection_id: string): Step => ({
    ...{ type: "service", key: "create" },
    service: { service: "records", action: "create", input: { collection_id, data: { a: { b: 1 } } } },
  });
  const inner = await collection(await workflow({ type: "code", key: "pass", code: "return true" }));
  const outer = await collection(await workflow(create(inner)));
  const writes = await workflow(create(outer));

  const runs = await Promise.all(Array.from({ length: 6 }, () => stepwell.runs.create(app, writes)));
  const ended = await Promise.all(runs.map(({ id }) => stepwell.runs.wait(app, id)));
  const passed = { rule_results: [{ key: "rule", result: "PASS" }] };
  for (const { output } of ended) expect(output).toMatchObject(passed);
  const records = (await stepwell.records.list(app, inner)).items;
  expect(records).toHaveLength(6);
  for (const record of records) expect(record).toMatchObject(passed);
  await t.close();
});
