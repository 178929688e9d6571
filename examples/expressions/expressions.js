// Expressions in conditions, templates and loops: node examples/expressions/expressions.js
import { createStepwell } from "stepwell";

const stepwell = createStepwell();
const app = await stepwell.apps.create({ name: "Shop" });
const workflow = await stepwell.workflows.create(app.id, {
  name: "Invoice",
  steps: [
    {
      type: "input",
      key: "start",
      input: {
        lines: {
          type: "object",
          array: true,
          fields: { item: { type: "string" }, price: { type: "number" }, count: { type: "number", default: 1 } },
        },
        note: { type: "string", optional: true },
        due: { type: "date" },
      },
    },
    {
      type: "code",
      key: "number",
      loop: "iteration >= 3 || output > 50",
      code: "return (steps.number?.output ?? 10) * 2",
    },
    {
      type: "service",
      key: "letter",
      service: {
        service: "files",
        action: "create",
        input: {
          name: "invoice-{{ steps.number.output }}.txt",
          text: [
            "{{ join(input.lines.map(line, line.item + ' x ' + text(line.count)), ', ') }}",
            "Total: {{ round(sum(input.lines.map(line, line.price * line.count)) * 1.19, 2) }}",
            "Due: {{ format(addDays(date(input.due), 14), 'dd.MM.yyyy') }}",
            "{{ input.?note.orValue('Thank you.') }}",
          ].join("\n"),
        },
      },
    },
    {
      type: "service",
      key: "read",
      conditional: "size(input.lines) > 1",
      service: { service: "files", action: "read", input: { file_id: "{{ steps.letter.output.id }}" } },
    },
  ],
});
await stepwell.workflows.deploy(app.id, workflow.id);

const lines = [
  { item: "Pen", price: 1.5, count: 10 },
  { item: "Desk", price: 250 },
];
const { id } = await stepwell.runs.create(app.id, workflow.id, { input: { lines, due: "2027-01-20" } });
const run = await stepwell.runs.wait(app.id, id);
console.log(run.error ?? `${run.output.name}\n${run.output.text}`);
await stepwell.close();
