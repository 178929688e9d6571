/** `stepwell run`: starts a run and follows it. */

import { isStepwellError } from "../../../src/errors.ts";
import type { InputDefinition, Run, RunCreate, Version } from "../../../src/index.ts";
import { isRecord, type JsonObject, omitUndefined } from "../../../src/json.ts";
import { type Command, EXIT, type Given, SERVER_ARGS, VERSION_ARG } from "../command.ts";
import { openSources, uploadFile } from "../form/answer-sources.ts";
import { submitForm } from "../form/form.ts";
import { readObject } from "../json/read-json.ts";
import { followRun, showEnd } from "../run/follow-run.ts";
import { createRunView } from "../run/run-view.ts";
import { findWorkflow } from "../server/find-workflow.ts";
import { type CliClient, OWN_APP, openClient, PATIENT_RETRIES } from "../server/open-client.ts";
import { problemOf, refused, wrongUse } from "../terminal/failure.ts";
import { printJson, printLine, printMessage, type Shell } from "../terminal/shell.ts";

export const command: Command = {
  description: "Start a run of a workflow and follow it",
  args: {
    workflow: { type: "positional", description: "Name or id of the workflow, or its file" },
    input: {
      type: "string",
      alias: "i",
      valueHint: "json|file",
      description: "Input: a JSON object, a file, or - for standard input",
    },
    file: {
      type: "string",
      alias: "f",
      valueHint: "field=path",
      description: "Upload a file for a field of the input; repeatable",
    },
    version: VERSION_ARG,
    start: { type: "string", valueHint: "step", description: "Input step to start at (default: the first one)" },
    tag: { type: "string", valueHint: "tag", description: "Tag to find the run by; repeatable" },
    detach: { type: "boolean", alias: "d", description: "Print the id of the run and don't wait for its end" },
    ...SERVER_ARGS,
  },
  examples: [
    'stepwell run "Expense check"',
    `stepwell run "Expense check" --input '{"employee": "Ada", "amount": 40}'`,
    "stepwell run intake -f document=./contract.pdf --json",
  ],
  async run(given, shell) {
    const client = await openClient(given, shell);
    const { id } = await findWorkflow(client, given.text("workflow") ?? "", shell);
    const isJson = given.flag("json");
    const created = await start(client, id, given, shell);
    if (given.flag("detach")) {
      if (isJson) printJson(shell, created);
      else printLine(shell, created.id);
      return EXIT.ok;
    }
    printMessage(shell, `run ${created.id}`);
    const view = createRunView(
      shell,
      created.steps.map(({ key }) => key),
    );
    const onNotice = (text: string) => {
      view.pause();
      printMessage(shell, text);
    };
    try {
      const run = await followRun(
        await openClient(given, shell, { retries: PATIENT_RETRIES, onNotice }),
        created.id,
        view,
        shell,
      );
      view.end(run);
      return showEnd(shell, run, isJson);
    } catch (error) {
      if (shell.signal.aborted) printMessage(shell, `The run is not canceled: stepwell logs -f ${created.id}`);
      throw error;
    }
  },
};

async function start(client: CliClient, workflowId: string, given: Given, shell: Shell): Promise<Run> {
  const typed = given.text("input");
  const tags = given.all("tag");
  const settings: RunCreate = omitUndefined({
    version: versionOf(given.text("version")),
    step_key: given.text("start"),
    tags: tags.length > 0 ? [...tags] : undefined,
  });
  const readers = [typed ?? "", ...given.all("file").map((one) => one.slice(one.indexOf("=") + 1))];
  if (readers.filter((path) => path === "-" || path === "/dev/stdin").length > 1) {
    throw wrongUse("Standard input can be read only once.", "Pass - for the input or for one file.");
  }
  const input = typed === undefined ? null : await readObject(typed, "--input", shell);
  const files = await uploads(client, given.all("file"), shell);
  const create = (input: JsonObject) =>
    client.runs.create(OWN_APP, workflowId, { ...settings, input: { ...input, ...files } });
  try {
    if (input !== null) return await create(input);
    return await createFromAnswers({ client, workflowId, settings, names: Object.keys(files), create }, shell);
  } catch (error) {
    // A run that did not start does not need them. Without a response, it may have.
    if (isStepwellError(error, "unavailable")) throw error;
    for (const id of Object.values(files).flat()) await client.files.remove(OWN_APP, id).catch(() => undefined);
    throw error;
  }
}

interface Asking {
  readonly client: CliClient;
  readonly workflowId: string;
  readonly settings: RunCreate;
  /** Fields that need no answer. */
  readonly names: readonly string[];
  create(input: JsonObject): Promise<Run>;
}

async function createFromAnswers({ client, workflowId, settings, names, create }: Asking, shell: Shell): Promise<Run> {
  if (!shell.isInteractive) return createWithoutInput(() => create({}));
  const version = await client.workflows.getVersion(OWN_APP, workflowId, settings.version ?? "latest");
  const definition = Object.entries(fieldsOf(version, settings.step_key)).filter(([name]) => !names.includes(name));
  return submitForm(Object.fromEntries(definition), await openSources(client, shell), create, "/input");
}

async function createWithoutInput(create: () => Promise<Run>): Promise<Run> {
  try {
    return await create();
  } catch (error) {
    if (!isStepwellError(error, "invalid") || error.errors.length === 0) throw error;
    const hint = "Pass the input with --input: a JSON object, a file, or - for standard input.";
    throw refused(error.message, hint, error.errors.map(problemOf));
  }
}

/** A number may be the number of a version. */
function versionOf(text: string | undefined): string | number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}

/** The fields that a run needs: those of the version and those of its start step. */
function fieldsOf({ input, steps }: Version, start: string | undefined): InputDefinition {
  const inputs = steps.filter((step) => step.type === "input");
  const step = start === undefined ? inputs[0] : inputs.find(({ key }) => key === start);
  return isRecord(step?.input) ? { ...input, ...step.input } : input;
}

async function uploads(
  client: CliClient,
  given: readonly string[],
  shell: Shell,
): Promise<Readonly<Record<string, string[]>>> {
  const files: Record<string, string[]> = {};
  for (const one of given) {
    const at = one.indexOf("=");
    const missing = at <= 0 ? "field" : at === one.length - 1 ? "file" : null;
    if (missing !== null) {
      const hint = "Type --file FIELD=PATH, such as --file document=./contract.pdf; - is standard input.";
      throw wrongUse(`--file ${one} names no ${missing}.`, hint);
    }
    const field = one.slice(0, at);
    files[field] = [...(files[field] ?? []), await uploadFile(client, one.slice(at + 1), shell)];
  }
  return files;
}
