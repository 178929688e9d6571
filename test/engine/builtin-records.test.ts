/** The built-in services `records` and `rules`: collections in steps. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Step } from "../../src/index.ts";
import { createTestService, type TestService } from "../../src/testing/index.ts";

let t: TestService;
beforeEach(async () => {
  t = await createTestService();
});
afterEach(() => t.close());

const call = (key: string, service: string, action: string, input: object): Step => ({
  type: "service",
  key,
  service: { service, action, input: { ...input } },
});
const ALL: Step = { type: "code", key: "all", code: "return steps" };

async function collectionWithRule(code: string): Promise<string> {
  const { stepwell, app } = t;
  const { id: workflow_id } = await stepwell.workflows.create(app, {
    name: "Rule",
    steps: [{ type: "code", key: "rule", code }],
  });
  await stepwell.workflows.deploy(app, workflow_id);
  const rules = [{ name: "Small", key: "small", workflow_id, on_fail: "FAIL" as const }];
  return (await stepwell.collections.create(app, { name: "Invoices", config: { rules } })).id;
}

describe("the records service", () => {
  it("creates, reads, updates, upserts, lists and deletes records", async () => {
    const collection_id = await collectionWithRule("return input.record.data.invoice.sum < 100");
    const record = { collection_id, record_id: "{{ steps.made.output.id }}" };
    const run = await t.run(
      [
        call("made", "records", "create", { collection_id, data: { invoice: { no: "{{ input.no }}", sum: 7 } } }),
        call("read", "records", "get", record),
        call("changed", "records", "update", { ...record, data: { invoice: { sum: "{{ input.sum }}" } } }),
        call("same", "records", "upsert", {
          ...{ collection_id, path: "invoice:no", value: "{{ input.no }}", data: { invoice: { paid: true } } },
        }),
        call("other", "records", "upsert", { collection_id, path: "invoice:no", value: "A2" }),
        call("list", "records", "list", { collection_id, take: 1 }),
        call("rest", "records", "list", { collection_id, page_token: "{{ steps.list.output.next_page_token }}" }),
        call("found", "records", "list", { collection_id, search: "a1" }),
        call("gone", "records", "delete", record),
        call("again", "records", "delete", record),
        ALL,
      ],
      { no: "A1", sum: 700 },
    );
    expect(run.error).toBeNull();
    const invoice = { no: "A1", sum: 700, paid: true };
    expect(run.output).toMatchObject({
      made: { output: { version: 1, rule_results: [{ key: "small", result: "PASS" }] } },
      read: { output: { data: { invoice: { no: "A1", sum: 7 } } } },
      changed: { output: { version: 2, rule_results: [{ key: "small", result: "FAIL" }] } },
      same: { output: { version: 3, data: { invoice } } },
      other: { output: { version: 1, data: { invoice: { no: "A2" } } } },
      list: { output: { records: [{ data: { invoice: { no: "A2" } } }] } },
      rest: { output: { records: [{ data: { invoice } }], next_page_token: null } },
      found: { output: { records: [{ data: { invoice } }] } },
      gone: { output: { deleted: true } },
      again: { output: { deleted: false } },
    });
    expect((await t.stepwell.collections.get(t.app, collection_id)).records_count).toBe(1);
  });

  it("creates one record for a step, whose idempotency key is the key of the record", async () => {
    const collection_id = await collectionWithRule("return true");
    const run = await t.run([call("made", "records", "create", { collection_id, data: { a: { b: 1 } } })]);
    const key = `${run.id}/made/1`;
    const again = await t.stepwell.records.create(t.app, collection_id, { key, data: { a: { b: 1 } } });
    expect(again).toEqual(run.output);
  });

  it("returns not_found for another app, as does rules; bad input is rejected at deployment", async () => {
    const stranger = await t.stepwell.apps.create({ name: "Stranger" });
    const { id: collection_id } = await t.stepwell.collections.create(stranger.id, { name: "Theirs" });
    const { id: record_id } = await t.stepwell.records.create(stranger.id, collection_id, {});
    const calls: [string, string, object][] = [
      ["records", "list", { collection_id }],
      ["records", "get", { collection_id, record_id }],
      ["records", "create", { collection_id, data: {} }],
      ["records", "update", { collection_id, record_id, data: {} }],
      ["records", "upsert", { collection_id, path: "a:b", value: 1 }],
      ["rules", "list", { collection_id }],
      ["rules", "evaluate", { collection_id, record_id }],
    ];
    for (const [service, action, input] of calls) {
      const { error } = await t.run([call("there", service, action, input)]);
      expect(error, action).toMatchObject({ code: "not_found" });
    }
    const refused = t.run([call("made", "records", "upsert", { collection_id, path: "nowhere", value: 1 })]);
    await expect(refused).rejects.toMatchObject({
      code: "invalid",
      errors: [{ pointer: "/steps/0/service/input/path", message: expect.stringMatching(/entity:field/) }],
    });
  });
});

describe("the rules service", () => {
  it("lists rules and evaluates a record again", async () => {
    const collection_id = await collectionWithRule("return input.record.data.invoice.sum < 100");
    const { id: record_id } = await t.stepwell.records.create(t.app, collection_id, { data: { invoice: { sum: 7 } } });
    const run = await t.run([
      call("rules", "rules", "list", { collection_id }),
      call("evaluated", "rules", "evaluate", { collection_id, record_id }),
      ALL,
    ]);
    expect(run.error).toBeNull();
    expect(run.output).toMatchObject({
      rules: { output: { rules: [{ key: "small", name: "Small", on_fail: "FAIL" }] } },
      evaluated: { output: { version: 1, rule_results: [{ key: "small", result: "PASS" }] } },
    });
    const { rule_results } = await t.stepwell.records.get(t.app, collection_id, record_id);
    expect(run.output).toMatchObject({ evaluated: { output: { rule_results } } });
  });
});
