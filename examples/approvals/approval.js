// Bob approves an expense by a link in a mail. He gets a reminder after a day, and has three days to answer.
import { createServer } from "node:http";
import { createStepwell, defineService, defineWorkflow, RetryableError } from "stepwell";
import { toNodeHandler } from "stepwell/http/node";
import fsDriver from "stepwell/storage/fs";
import * as v from "valibot";

const { PORT = "3000", PUBLIC_URL, SMTP_URL, DAY = "86400" } = process.env;
const day = Number(DAY); // in seconds

// 1. How mails are sent.
const mail = defineService({
  name: "mail",
  actions: {
    send: {
      input: v.object({ to: v.string(), subject: v.string(), text: v.string() }),
      output: v.object({ message_id: v.string() }),
      async run(letter, { idempotencyKey }) {
        const message_id = `<${idempotencyKey.replaceAll("/", ".")}@example.com>`; // a repeated mail is shown once
        if (SMTP_URL === undefined) console.log(`\nto ${letter.to}: ${letter.subject}\n${letter.text}\n`);
        else await sendBySmtp({ from: "expenses@example.com", messageId: message_id, ...letter });
        return { message_id };
      },
    },
  },
});

async function sendBySmtp(letter) {
  const { default: nodemailer } = await import("nodemailer"); // npm install nodemailer
  const sent = nodemailer.createTransport(SMTP_URL).sendMail(letter);
  await sent.catch((error) => {
    if (error.responseCode >= 500) throw error; // the server refuses the mail for good
    throw new RetryableError(error.message); // Stepwell tries again
  });
}

// 2. The workflow.
const letter = (subject) => ({
  to: "{{ input.approver }}",
  subject,
  text: "{{ input.employee }} spent {{ input.amount }} euros. Please answer: {{ steps.link.output.url }}",
});
const expense = defineWorkflow({
  name: "Expense",
  steps: [
    {
      type: "input",
      key: "expense",
      input: { employee: { type: "string" }, amount: { type: "number" }, approver: { type: "string" } },
      destinations: ["link"],
    },
    {
      type: "service",
      key: "link", // its output is { id, url, expires_at }
      service: {
        service: "inputs",
        action: "create_link",
        input: {
          step_key: "approval", // the step whose form it opens
          title: "Approve an expense",
          text: "{{ input.employee }} spent {{ input.amount }} euros.",
        },
      },
      destinations: ["mail"],
    },
    {
      type: "service",
      key: "mail",
      service: { service: "mail", action: "send", input: letter("Please approve an expense") },
      retry: { max_attempts: 8, initial_interval: 60, max_interval: 3600 }, // for about two hours
      destinations: ["approval", "answered"], // both begin at once
    },
    {
      type: "input",
      key: "approval", // waits for the form
      input: {
        decision: {
          type: "select",
          name: "Your decision",
          options: [
            { value: "approve", label: "Approve" },
            { value: "decline", label: "Decline" },
          ],
        },
        note: { type: "string", name: "Note", optional: true, display: { control: "multiline" } },
      },
      timeout: 3 * day, // the deadline
      on_error: [{ condition: "error.code == 'timeout'", destinations: ["result"] }],
      destinations: ["tell"],
    },
    {
      type: "service",
      key: "tell", // ends the wait of `answered`
      service: { service: "events", action: "emit", input: { name: "expense.answered", subject: "{{ run.id }}" } },
      destinations: ["result"],
    },
    {
      type: "service",
      key: "answered", // waits for a day
      service: { service: "events", action: "wait", input: { name: "expense.answered", subject: "{{ run.id }}" } },
      timeout: day,
      on_error: [{ condition: "error.code == 'timeout'", destinations: ["reminder"] }],
      destinations: ["result"],
    },
    {
      type: "service",
      key: "reminder", // the same link again
      service: { service: "mail", action: "send", input: letter("Reminder: please approve an expense") },
      throw_on_error: false, // without the reminder, the link of the first mail still works
      destinations: ["result"],
    },
    {
      type: "code",
      key: "result",
      code: "return { decision: 'no answer', note: null, ...steps.approval.output }",
    },
  ],
});

// 3. The server.
const stepwell = createStepwell({
  baseUrl: PUBLIC_URL ?? `http://localhost:${PORT}`, // links begin with it
  services: [mail],
  storage: { entities: fsDriver({ base: ".stepwell" }) },
});
const server = createServer(toNodeHandler(stepwell)).listen(Number(PORT));

// 4. A run. If you stop the program while Bob has time to answer, start it again: the run goes on.
const [app = await stepwell.apps.create({ name: "Expenses" })] = (await stepwell.apps.list()).items;
const [{ id } = await request()] = (await stepwell.runs.list(app.id, { status: ["running", "waiting"] })).items;
console.log(`waiting for the answer in run ${id}`);
const { status, output, error } = await stepwell.runs.wait(app.id, id);
console.log(status, output ?? error);
server.close();
await stepwell.close();

async function request() {
  const workflow = await stepwell.workflows.create(app.id, expense); // your program creates it once
  await stepwell.workflows.deploy(app.id, workflow.id);
  const input = { employee: "Ann", amount: 84.5, approver: "bob@example.com" };
  return stepwell.runs.create(app.id, workflow.id, { input });
}
