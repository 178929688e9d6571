// A collection with a mapping and a rule: node examples/records/records.js
import { createStepwell } from "stepwell";

const stepwell = createStepwell();
const app = await stepwell.apps.create({ name: "Lending" });

const plausible = await stepwell.workflows.create(app.id, {
  name: "Amount is plausible",
  steps: [
    { type: "input", key: "start", input: { record: { type: "object", fields: {}, additional_fields: true } } },
    { type: "code", key: "check", code: "return { passed: input.record.data.loan.amount <= 100_000 }" },
  ],
});
await stepwell.workflows.deploy(app.id, plausible.id);

const urgent = await stepwell.tags.create(app.id, { name: "urgent", color: "red" });
const loans = await stepwell.collections.create(app.id, {
  name: "Loans",
  config: {
    mappings: [{ source_path: "loan:amount", destination_paths: ["letter:sum"] }],
    rules: [
      { key: "amount", name: "Amount is plausible", workflow_id: plausible.id, on_success: "PASS", on_fail: "FAIL" },
    ],
  },
});

const created = await stepwell.records.create(app.id, loans.id, {
  data: { loan: { number: "A-7", amount: 250_000 } },
  tags: [urgent.id],
});
show(created);

// Changes the record that has this number, or creates it: one record, no matter how many callers do so at once.
const upserted = await stepwell.records.upsert(app.id, loans.id, {
  path: "loan:number",
  value: "A-7",
  data: { loan: { amount: 90_000 } },
});
show(upserted);
console.log(upserted.id === created.id ? "the same record" : "another record");

const stale = { expected_version: created.version, data: { loan: { amount: 1 } } };
await stepwell.records.update(app.id, loans.id, created.id, stale).catch((error) => console.log(error.code));
await stepwell.close();

function show({ version, data, tags, rule_results }) {
  const results = rule_results.map(({ key, result }) => `${key} ${result}`);
  console.log(`version ${version}:`, JSON.stringify(data), results.join(), tags.map(({ name }) => name).join());
}
