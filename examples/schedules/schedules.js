// A report on every working day, in a week that passes at once: node examples/schedules/schedules.js
import { createStepwell } from "stepwell";
import { createTestClock } from "stepwell/testing";

const clock = createTestClock("2027-03-25T00:00:00Z"); // leave `clock` out to use the system clock
const stepwell = createStepwell({ clock });
const app = await stepwell.apps.create({ name: "Reports" });
const workflow = await stepwell.workflows.create(app.id, {
  name: "Report",
  input: { report: { type: "string" } },
  steps: [
    {
      type: "branch",
      key: "kind",
      conditions: { daily: { order: 1, condition: "input.report == 'daily'", destinations: [] } },
    },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);

const schedule = await stepwell.schedules.create(app.id, {
  workflow_id: workflow.id,
  cron: "0 9 * * mon-fri",
  timezone: "Europe/Berlin",
  input: { report: "daily" },
});
console.log("next:", schedule.upcoming.slice(0, 3).join(", "));

await clock.advance("7d"); // 28 March is the change to summer time: 09:00 in Berlin moves from 08:00Z to 07:00Z

const { items } = await stepwell.runs.list(app.id);
for (const { created_at, status } of items.toReversed()) console.log(created_at, status);
await stepwell.close();
