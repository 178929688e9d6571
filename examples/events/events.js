// Listens to what happens in this process: node examples/events/events.js
import { createStepwell } from "stepwell";

const stepwell = createStepwell();
const app = await stepwell.apps.create({ name: "Lending" });
const loans = await stepwell.collections.create(app.id, { name: "Loans" });

const end = stepwell.on("record.*", (event) => console.log(event.type, event.data.version));
stepwell.on("record.updated", ({ data }) => console.log("amount", data.data?.loan?.amount));

const loan = await stepwell.records.create(app.id, loans.id, { data: { loan: { amount: 90_000 } } });
await stepwell.records.update(app.id, loans.id, loan.id, { data: { loan: { amount: 80_000 } } });
end();
await stepwell.records.remove(app.id, loans.id, loan.id);
await stepwell.close();
