// A record that holds a file, and a rule that reads it: node examples/records/files.js
import { createStepwell } from "stepwell";

const stepwell = createStepwell();
const app = await stepwell.apps.create({ name: "Lending" });

const contract = { type: "file", extract_contents: true };
const loan = { type: "object", fields: { contract }, additional_fields: true };
const data = { type: "object", fields: { loan }, additional_fields: true };
const signed = await stepwell.workflows.create(app.id, {
  name: "Contract is signed",
  steps: [
    { type: "input", key: "start", input: { record: { type: "object", fields: { data }, additional_fields: true } } },
    { type: "code", key: "check", code: "return input.record.data.loan.contract[0].contents.includes('Signed')" },
  ],
});
await stepwell.workflows.deploy(app.id, signed.id);

const rule = { key: "signed", name: "Contract is signed", workflow_id: signed.id, on_fail: "FAIL" };
const loans = await stepwell.collections.create(app.id, { name: "Loans", config: { rules: [rule] } });

const record = await stepwell.records.create(app.id, loans.id, {
  data: { loan: { number: "A-7", contract: { file_id: await upload("draft.txt", "Loan A-7, 90,000") } } },
});
show(record);
const file_id = await upload("contract.txt", "Loan A-7, 90,000\nSigned: Ada");
show(await stepwell.records.update(app.id, loans.id, record.id, { data: { loan: { contract: { file_id } } } }));

await stepwell.files.remove(app.id, file_id);
show(await stepwell.records.get(app.id, loans.id, record.id));
const missing = { data: { loan: { contract: { file_id } } } };
await stepwell.records.create(app.id, loans.id, missing).catch((error) => console.log(error.errors[0].pointer));
await stepwell.close();

/** What an end user does with an upload URL. */
async function upload(name, text) {
  const { upload_url } = await stepwell.files.createUpload(app.id);
  return (await stepwell.files.receive(upload_url, { name, body: new Blob([text]).stream() })).id;
}

function show({ version, data, rule_results }) {
  const { file } = data.loan.contract;
  const shown = file === null ? "deleted" : `${file.name}, ${file.mime_type}, ${file.size} bytes`;
  console.log(`version ${version}: ${shown}:`, rule_results.map(({ key, result }) => `${key} ${result}`).join());
}
