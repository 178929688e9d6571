// Records from CSV, and back to CSV: node examples/records/import.js
import { createStepwell } from "stepwell";

const stepwell = createStepwell();
const app = await stepwell.apps.create({ name: "Lending" });
const loans = await stepwell.collections.create(app.id, { name: "Loans" });

const csv = `loan:number,loan:amount,loan:note
A-7,90000,"Paid back
early"
A-8,120000.50,=SUM(A1)
,1,without a number
A-7,85000,
`;
const started = await stepwell.records.import(app.id, loans.id, csv, { key: "loan:number" });
const job = await stepwell.jobs.wait(app.id, started.id);
console.log(`${job.status}: ${job.done} rows, ${job.report.failed} failed`);
for (const { line, message } of job.report.problems) console.log(`line ${line}: ${message}`);

const exported = await stepwell.records.export(app.id, loans.id, { filter: [{ field: "loan:number", value: "A-7" }] });
console.log(await new Response(exported).text());

await stepwell.close();
