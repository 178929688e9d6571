/** `stepwell logs`: what the steps of a run did and logged. */
import type { Run } from "../../../src/index.ts";
import { type Command, EXIT, type Given, SERVER_ARGS } from "../command.ts";
import { eventText } from "../run/run-view.ts";
import { type CliClient, OWN_APP, openClient, PATIENT_RETRIES } from "../server/open-client.ts";
import { refused } from "../terminal/failure.ts";
import { oneLine, printable, printJson, printJsonLine, printLine, type Shell } from "../terminal/shell.ts";

/** Characters of a line. */
const MAX_CHARS = 4_000;

export const command: Command = {
  description: "Show what the steps of a run did and logged",
  args: {
    run: { type: "positional", required: false, description: "Id of the run (default: the newest one)" },
    follow: { type: "boolean", alias: "f", description: "Show events as they happen, until the run has ended" },
    ...SERVER_ARGS,
  },
  examples: ["stepwell logs", "stepwell logs -f run_01m7…", "stepwell logs -f --json | jq ."],
  async run(given, shell) {
    const client = await openClient(given, shell);
    const id = given.text("run") ?? (await newestRun(client));
    const run = await client.runs.get(OWN_APP, id);
    if (given.flag("follow"))
      return follow(await openClient(given, shell, { retries: PATIENT_RETRIES }), id, given, shell);
    if (given.flag("json")) printJson(shell, run);
    else printRun(run, shell);
    return EXIT.ok;
  },
};

async function newestRun(client: CliClient): Promise<string> {
  const { items } = await client.runs.list(OWN_APP, { take: 1 });
  if (items[0] !== undefined) return items[0].id;
  throw refused("The app has no runs.", "Start one: stepwell run WORKFLOW");
}

/** @returns 3 if the run did not succeed. */
async function follow(client: CliClient, id: string, given: Given, shell: Shell) {
  let last = "";
  for await (const event of client.runs.events(OWN_APP, id, { signal: shell.signal })) {
    last = event.type;
    if (given.flag("json")) {
      printJsonLine(shell, event);
      continue;
    }
    const time = (event.at ?? "").slice(0, 19).padEnd(19);
    if (event.type !== "step.log") printLine(shell, `${time}  ${oneLine(eventText(event), MAX_CHARS)}`);
    else for (const line of event.lines) printLine(shell, `${time}  ${event.step} | ${oneLine(line, MAX_CHARS)}`);
  }
  shell.signal.throwIfAborted();
  const status = last.startsWith("run.") ? last.slice("run.".length) : (await client.runs.get(OWN_APP, id)).status;
  return status === "succeeded" ? EXIT.ok : EXIT.runFailed;
}

function printRun({ id, status, error, steps }: Run, shell: Shell): void {
  const reason = error === null ? "" : `: ${error.code}: ${error.message}`;
  printLine(shell, oneLine(`${id} ${status}${reason}`, MAX_CHARS));
  for (const step of steps) {
    const time = (step.finished_at ?? step.started_at ?? "").slice(0, 19).padEnd(19);
    const failure = step.error === null ? "" : `: ${step.error.code}: ${step.error.message}`;
    printLine(shell, `${time}  ${oneLine(`${step.key} ${step.status}${failure}`, MAX_CHARS)}`);
    for (const line of step.logs ?? []) printLine(shell, `${"".padEnd(19)}  ${step.key} | ${printable(line)}`);
  }
}
