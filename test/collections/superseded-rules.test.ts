/** Rules that are still running when their record changes. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CollectionRecord, JsonObject, Step } from "../../src/index.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";

let t: TestService;
beforeEach(async () => {
  t = await createTestService();
});
afterEach(() => t.close());

const ASK: Step = { type: "input", key: "ask", input: { fee: { type: "number" } } };
const update = (data: JsonObject, more: JsonObject = {}): Step => ({
  type: "service",
  key: "write",
  service: {
    service: "records",
    action: "update",
    input: { collection_id: "{{ input.record.collection_id }}", record_id: "{{ input.record.id }}", data, ...more },
  },
});

/** A collection with a rule that waits for a fee if it is to wait, and then writes it. */
async function withRule({
  waits,
  when,
  write = update({ risk: { fee: waits ? "{{ steps.ask.output.fee }}" : 7 } }),
}: {
  waits: boolean;
  when?: string[];
  write?: Step;
}) {
  const begin: Step = { type: "input", key: "in", input: {}, destinations: [waits ? "ask" : "write"] };
  const steps = waits ? [begin, { ...ASK, destinations: ["write"] } as Step, write] : [begin, write];
  const { id: workflow_id } = await t.stepwell.workflows.create(t.app, { name: "Fee", steps });
  await t.stepwell.workflows.deploy(t.app, workflow_id);
  const rule = { key: "fee", name: "Fee", workflow_id, ...(when === undefined ? {} : { when }) };
  const { id } = await t.stepwell.collections.create(t.app, { name: "Loans", config: { rules: [rule] } });
  return { id, workflow_id };
}

const runsOf = async (workflowId: string) =>
  [...(await t.stepwell.runs.listOfWorkflow(t.app, workflowId)).items].reverse();
const read = (collection: string, record: string) => t.stepwell.records.get(t.app, collection, record);
const resultsOf = ({ rule_results }: CollectionRecord) => rule_results.map(({ result }) => result);

/** Writes without waiting for the rules. */
async function write(collection: string, loan: object, record_id?: string): Promise<string> {
  const data = { loan } as never;
  const operation =
    record_id === undefined ? { op: "create" as const, data } : { op: "update" as const, record_id, data };
  const { outcomes } = await t.stepwell.records.bulk(t.app, collection, { operations: [operation] });
  return outcomes[0]?.record_id ?? "";
}

/** Waits until a run waits for the fee, as the last of so many. */
async function waiting(workflowId: string, count: number): Promise<string> {
  await expect.poll(async () => (await runsOf(workflowId)).map(({ status }) => status)[count - 1]).toBe("waiting");
  return (await runsOf(workflowId))[count - 1]?.id ?? "";
}

const provide = (run: string, fee: number) => t.stepwell.runs.provide(t.app, run, "ask", { fee });

describe("a rule with when", () => {
  it("runs once if its workflow writes another field", async () => {
    const { id, workflow_id } = await withRule({ waits: false, when: ["loan:amount"] });
    const record = await t.stepwell.records.create(t.app, id, { data: { loan: { amount: 1 } } });
    expect(record.data["risk"]).toEqual({ fee: 7 });
    expect(resultsOf(record)).toEqual(["PASS"]);
    expect(await runsOf(workflow_id)).toHaveLength(1);
    await t.stepwell.records.update(t.app, id, record.id, { data: { loan: { amount: 2 }, risk: { fee: 0 } } });
    expect((await read(id, record.id)).data["risk"]).toEqual({ fee: 7 });
    expect(await runsOf(workflow_id)).toHaveLength(2);
  });

  it("keeps its run while another field changes, also after a crash", async () => {
    const { id, workflow_id } = await withRule({ waits: true, when: ["loan:amount"] });
    const record = await write(id, { amount: 1 });
    const run = await waiting(workflow_id, 1);
    await write(id, { note: "x" }, record);
    const next = await t.crash();
    await t.close();
    t = next;
    await write(id, { note: "y" }, record);
    await provide(run, 10);
    await expect.poll(async () => resultsOf(await read(id, record))).toEqual(["PASS"]);
    expect((await read(id, record)).data).toEqual({ loan: { amount: 1, note: "y" }, risk: { fee: 10 } });
    expect(await runsOf(workflow_id)).toHaveLength(1);
  });

  it.each(["runs on", "ends"])("cancels the run for an earlier value while the process %s", async (process) => {
    const { id, workflow_id } = await withRule({ waits: true, when: ["loan:amount"] });
    const record = await write(id, { amount: 1 });
    const earlier = await waiting(workflow_id, 1);
    const written = write(id, { amount: 2 }, record);
    if (process === "ends") {
      await written;
      const next = await t.crash();
      await t.close();
      t = next;
    }
    await written;
    const later = await waiting(workflow_id, 2);
    expect((await t.stepwell.runs.get(t.app, earlier)).status).toBe("canceled");
    await expect(provide(earlier, 10)).rejects.toMatchObject({ code: "conflict" });
    await provide(later, 20);
    await expect.poll(async () => resultsOf(await read(id, record))).toEqual(["PASS"]);
    expect((await read(id, record)).data["risk"]).toEqual({ fee: 20 });
    expect((await t.stepwell.runs.get(t.app, later)).status).toBe("succeeded");
  });
});

describe("a rule without when", () => {
  it("finishes its run after its own write, and runs again", async () => {
    const { id, workflow_id } = await withRule({ waits: false });
    await t.stepwell.records.create(t.app, id, { data: { loan: { amount: 1 } } });
    expect((await runsOf(workflow_id)).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  });

  it("is canceled and runs again when another caller changes the record or evaluates it", async () => {
    const { id, workflow_id } = await withRule({ waits: true });
    const record = await write(id, { amount: 1 });
    await waiting(workflow_id, 1);
    await write(id, { note: "x" }, record);
    await waiting(workflow_id, 2);
    const evaluated = t.stepwell.records.evaluate(t.app, id, record);
    await provide(await waiting(workflow_id, 3), 10);
    await provide(await waiting(workflow_id, 4), 10);
    expect(resultsOf(await evaluated)).toEqual(["PASS"]);
    const statuses = (await runsOf(workflow_id)).map(({ status }) => status);
    expect(statuses).toEqual(["canceled", "canceled", "succeeded", "succeeded"]);
  });
});

describe("a step that expects a version", () => {
  it("fails if the record has another one, and not if it is repeated", async () => {
    const versioned = update(
      { risk: { fee: "{{ steps.ask.output.fee }}" } },
      { expected_version: "{{ input.record.version }}" },
    );
    const { id, workflow_id } = await withRule({ waits: true, when: ["loan:amount"], write: versioned });
    const record = await write(id, { amount: 1 });
    const run = await waiting(workflow_id, 1);
    await write(id, { note: "x" }, record);
    await provide(run, 10);
    const { status, error } = await t.stepwell.runs.wait(t.app, run);
    expect({ status, code: error?.code }).toEqual({ status: "failed", code: "precondition_failed" });
    await t.stepwell.records.update(t.app, id, record, { data: { risk: { fee: 10 } } });
    await t.stepwell.runs.retry(t.app, run);
    expect((await t.stepwell.runs.wait(t.app, run)).status).toBe("succeeded");
    expect((await read(id, record)).version).toBe(3);
  });
});
