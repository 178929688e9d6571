/**
 * Runs the code blocks of the guide about records, in order: node run-blocks.js BLOCK… Each is a module that finds the names
 * that the guide explains as globals. Prints the name of each before what it prints, and at the end the fee that a rule of
 * the guide has written.
 */
import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { createStepwell } from "stepwell";

const stepwell = createStepwell({
  secret: "a secret of at least 32 characters",
  logger: { debug() {}, info() {}, warn() {}, error() {} },
  fetch: () => Promise.reject(new Error("no network")),
});
const app = await stepwell.apps.create({ name: "Lending" });
const steps = [
  { type: "input", key: "start", input: {} },
  { type: "code", key: "check", code: "return input.record.data.loan.amount <= 100_000" },
];
const workflow = await stepwell.workflows.create(app.id, { name: "Amount is plausible", steps });
await stepwell.workflows.deploy(app.id, workflow.id);
const mappings = [{ type: "key", entity_path: "loan:number", input_path: ["loan", "number"], name: "Number" }];
const config = { type: "loan_origination", mappings, pull_on_millestones: [], pull_on_folders: [] };
const { id: collection_id, triggers } = await stepwell.collections.create(app.id, {
  name: "Loans",
  config: { rules: [{ key: "amount", name: "Amount", workflow_id: workflow.id, on_fail: "FAIL" }] },
  triggers: [{ type: "loan_origination", name: "Loans", config }],
});
const contract = await stepwell.files.create(app.id, {
  name: "contract.txt",
  body: new TextEncoder().encode("Signed"),
});
const { id: record_id } = await stepwell.records.create(app.id, collection_id, {
  data: { loan: { number: "A-7", amount: 250_000, contract: { file_id: contract.id } } },
});
await stepwell.records.create(app.id, collection_id, { data: { loan: { number: "A-8", amount: 300_000 } } });
await writeFile("loans.csv", "loan:number,loan:amount\nC-1,1000\nC-2,2000\n");
Object.assign(globalThis, { stepwell, app, collection_id, record_id, trigger_id: triggers[0].id });

for (const block of process.argv.slice(2)) {
  console.log(`## ${block}`);
  await import(pathToFileURL(block).href);
}

console.log("## end");
await stepwell.records.update(app.id, collection_id, record_id, { data: { loan: { amount: 50_000 } } });
console.log((await stepwell.records.get(app.id, collection_id, record_id)).data.loan.fee);
await stepwell.close();
