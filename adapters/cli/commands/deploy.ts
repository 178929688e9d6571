/** `stepwell deploy`: deploys workflow files. */
import { type Command, EXIT, SERVER_ARGS } from "../command.ts";
import { lineOfPointer } from "../json/json-place.ts";
import { openClient } from "../server/open-client.ts";
import { CommandError, type Problem, refused, wrongUse } from "../terminal/failure.ts";
import { printJson, printLine, printMessage, type Shell } from "../terminal/shell.ts";
import { columns } from "../terminal/table.ts";
import { type Deployed, deployedText, deployFile, type Others } from "../workflow-files/deploy-file.ts";
import { workflowFilesIn } from "../workflow-files/folder-files.ts";
import { replacedTexts } from "../workflow-files/replaced-texts.ts";
import { readWorkflowFile, WORKFLOWS_FOLDER, type WorkflowFile } from "../workflow-files/workflow-file.ts";

export const command: Command = {
  description: "Deploy workflow files to a server",
  args: {
    file: { type: "positional", required: false, description: "JSON file (default: workflows/*.json)" },
    more: { type: "positional", required: false, description: "Further files" },
    workflow: { type: "string", alias: "w", valueHint: "id", description: "Deploy the file to this workflow" },
    notes: { type: "string", alias: "n", valueHint: "text", description: "Release notes" },
    "dry-run": { type: "boolean", description: "Only check the files" },
    ...SERVER_ARGS,
  },
  examples: [
    "stepwell deploy",
    'stepwell deploy workflows/intake.json --notes "Ask for the date"',
    "stepwell deploy workflows/*.json --url https://example.com/automation --key $KEY",
  ],
  async run(given, shell) {
    const paths = given.words.length > 0 ? given.words : await filesIn(shell);
    const workflowId = given.text("workflow");
    if (workflowId !== undefined && paths.length !== 1) {
      throw wrongUse(
        "--workflow needs exactly one file.",
        "Deploy the other files without it: workflows are found by name.",
      );
    }
    const client = await openClient(given, shell);
    const isJson = given.flag("json");
    const options = {
      notes: given.text("notes"),
      workflowId,
      isDryRun: given.flag("dry-run"),
      others: othersIn(shell),
    };
    const done: Deployed[] = [];
    const failed: CommandError[] = [];
    const files: WorkflowFile[] = [];
    for (const path of paths) {
      try {
        files.push(await readWorkflowFile(path, shell));
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        failed.push(error);
      }
    }
    checkNames(files);
    for (const [index, file] of files.entries()) {
      if (!isJson && files.length > 1) printMessage(shell, `${index + 1}/${files.length} ${file.path}`);
      try {
        const deployed = await deployFile(client, file, options);
        done.push(deployed);
        if (!isJson) for (const text of replacedTexts(deployed)) printMessage(shell, `warning: ${text}`);
      } catch (error) {
        // The other files are deployed nevertheless, so that one pass shows every problem.
        if (!(error instanceof CommandError)) throw error;
        failed.push(error);
      }
    }
    if (failed.length > 0) {
      if (!isJson) printDeployed(shell, done);
      throw allOf(failed);
    }
    if (isJson) printJson(shell, done);
    else printDeployed(shell, done);
    return EXIT.ok;
  },
};

/** A draft that people have changed in the console is kept as a file. */
const othersIn = ({ cwd }: Shell): Others => ({
  async keepDraft(workflow, draft) {
    const { keepDraft } = await import("../workflow-files/undeployed-draft.ts");
    return keepDraft(cwd, workflow, draft);
  },
});

function printDeployed(shell: Shell, done: readonly Deployed[]): void {
  if (done.length > 0)
    printLine(shell, columns(done.map((one) => [one.file, deployedText(one), one.workflow_id ?? ""])));
}

async function filesIn({ cwd }: Shell): Promise<string[]> {
  const files = await workflowFilesIn(cwd);
  if (files.length === 0) {
    throw wrongUse(
      `There are no files ${WORKFLOWS_FOLDER}/*.json.`,
      "Name the files: stepwell deploy FILE…, or create a sample: stepwell init.",
    );
  }
  return files;
}

/** @throws CommandError if two files define the same workflow: each would replace what the other deployed */
function checkNames(files: readonly WorkflowFile[]): void {
  const first = new Map<string, string>();
  const problems = files.flatMap(({ path, name, text }): Problem[] => {
    const other = first.get(name) ?? path;
    first.set(name, other);
    if (other === path) return [];
    const line = lineOfPointer(text, "/name");
    const message = `has the name ${JSON.stringify(name)}, as ${other}.`;
    return [{ place: `${path}:${line}: /name`, message, pointer: "/name", file: path, line }];
  });
  if (problems.length > 0) throw refused("Nothing was deployed: files have the same name.", RENAME, problems);
}

const RENAME = "A file is matched with its workflow by its name. Give each file a name of its own.";

function allOf(failed: readonly CommandError[]): CommandError {
  const [first] = failed;
  if (first !== undefined && failed.length === 1) return first;
  const problems: Problem[] = failed.flatMap(({ message, problems: own }) =>
    own.length > 0 ? own : [{ place: message.split(": ")[0] ?? "", message: message.split(": ").slice(1).join(": ") }],
  );
  return new CommandError(
    first?.exitCode ?? EXIT.refused,
    `${failed.length} files were not deployed.`,
    undefined,
    problems,
  );
}
