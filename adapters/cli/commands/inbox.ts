/** `stepwell inbox`: the runs that wait for input, and the answer to one of them. */
import type { WaitingRun } from "../../../src/index.ts";
import { type Command, EXIT, SERVER_ARGS } from "../command.ts";
import { readObject } from "../json/read-json.ts";
import { answerInput } from "../run/follow-run.ts";
import { findWorkflow } from "../server/find-workflow.ts";
import { type CliClient, OWN_APP, openClient } from "../server/open-client.ts";
import { type CommandError, refused, wrongUse } from "../terminal/failure.ts";
import { printJson, printLine, printMessage, type Shell } from "../terminal/shell.ts";
import { columns } from "../terminal/table.ts";

export const command: Command = {
  description: "List the steps that wait for input, or answer one of them",
  args: {
    run: { type: "positional", required: false, description: "Run to answer (default: list what waits)" },
    step: { type: "positional", required: false, description: "Step to answer, if several wait" },
    input: {
      type: "string",
      alias: "i",
      valueHint: "json|file",
      description: "Values: a JSON object, a file, or - for standard input",
    },
    workflow: {
      type: "string",
      alias: "w",
      valueHint: "name",
      description: "List only runs of this workflow: its name or id",
    },
    ...SERVER_ARGS,
  },
  examples: ["stepwell inbox", `stepwell inbox run_01m7… approve --input '{"approved": true}'`],
  async run(given, shell) {
    const client = await openClient(given, shell);
    const runId = given.text("run");
    const typed = given.text("input");
    const workflow = given.text("workflow");
    const isJson = given.flag("json");
    if (runId === undefined) {
      if (typed !== undefined) throw wrongUse("--input needs a run.", "Type: stepwell inbox RUN --input …");
      // A name that is wrong must not look like an empty inbox.
      const found = workflow === undefined ? undefined : (await findWorkflow(client, workflow, shell)).id;
      await list(client, found, shell, isJson);
      return EXIT.ok;
    }
    if (workflow !== undefined) throw wrongUse("--workflow cannot be combined with a run.");
    const step = given.text("step") ?? (await onlyStep(client, runId));
    if (typed === undefined && !shell.isInteractive) {
      throw wrongUse("Nobody can be asked for the values.", "Pass them with --input: a JSON object, a file, or -.");
    }
    const run =
      typed === undefined
        ? await answerInput(client, runId, step, shell)
        : await client.runs.provide(OWN_APP, runId, step, await readObject(typed, "--input", shell));
    if (run === null) return EXIT.refused;
    if (isJson) printJson(shell, run);
    else printMessage(shell, `Answered ${step}. Follow the run: stepwell logs -f ${runId}`);
    return EXIT.ok;
  },
};

async function list(client: CliClient, workflow: string | undefined, shell: Shell, isJson: boolean): Promise<void> {
  const found: WaitingRun[] = [];
  const filter = workflow === undefined ? {} : { workflow_id: workflow };
  for await (const run of client.inputs.listAll(OWN_APP, filter)) found.push(run);
  if (isJson) return printJson(shell, found);
  if (found.length === 0) return printMessage(shell, "No step waits for input.");
  const rows = found.flatMap(({ run_id, inputs }) =>
    inputs.map(({ step_key, since, definition }) => [
      run_id,
      step_key,
      since.slice(0, 19),
      Object.keys(definition).join(", "),
    ]),
  );
  printLine(shell, columns([["RUN", "STEP", "SINCE", "FIELDS"], ...rows]));
  printMessage(shell, "\nAnswer one: stepwell inbox RUN STEP");
}

async function onlyStep(client: CliClient, runId: string): Promise<string> {
  for await (const { run_id, inputs } of client.inputs.listAll(OWN_APP)) {
    if (run_id !== runId) continue;
    const [first, ...others] = inputs.map(({ step_key }) => step_key);
    if (first !== undefined && others.length === 0) return first;
    throw wrongUse(`${inputs.length} steps of the run wait.`, `Name one of them: ${[first, ...others].join(", ")}.`);
  }
  throw await notWaiting(client, runId);
}

async function notWaiting(client: CliClient, runId: string): Promise<CommandError> {
  const { status } = await client.runs.get(OWN_APP, runId);
  return refused(`No step of the run waits for input: it is ${status}.`, "`stepwell inbox` lists what waits.");
}
