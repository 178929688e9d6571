/** `stepwell diff`: a file, or the draft, against a version on the server. */
import type { VersionDiff } from "../../../src/index.ts";
import { type Command, EXIT, SERVER_ARGS } from "../command.ts";
import { findWorkflow } from "../server/find-workflow.ts";
import { OWN_APP, openClient } from "../server/open-client.ts";
import { wrongUse } from "../terminal/failure.ts";
import { printable, printJson, printMessage } from "../terminal/shell.ts";

export const command: Command = {
  description: "Show what a file, or the draft of a workflow, changes in a version on the server",
  args: {
    what: { type: "positional", description: "A file, or the name or id of a workflow whose draft is compared" },
    against: {
      type: "string",
      alias: "a",
      valueHint: "version",
      description: "Version: an id or a number (default: latest)",
    },
    to: { type: "string", valueHint: "version", description: "Compare this version instead of the draft" },
    "exit-code": { type: "boolean", description: "Return 1 if there are differences" },
    ...SERVER_ARGS,
  },
  examples: ["stepwell diff workflows/intake.json", "stepwell diff Intake --against 3 --to 5"],
  async run(given, shell) {
    const what = given.text("what") ?? "";
    const against = given.text("against") ?? "latest";
    const to = given.text("to");
    const isFile = what.endsWith(".json");
    if (isFile && to !== undefined)
      throw wrongUse("--to cannot be combined with a file.", "Pass the name of the workflow.");
    const client = await openClient(given, shell);
    const { id } = await findWorkflow(client, what, shell);
    let diff: VersionDiff;
    if (isFile) {
      const { compareWithFile } = await import("../workflow-files/compare-file.ts");
      const { definitionIn, readWorkflowFile } = await import("../workflow-files/workflow-file.ts");
      const [version, file] = await Promise.all([
        client.workflows.getVersion(OWN_APP, id, against),
        readWorkflowFile(what, shell),
      ]);
      diff = compareWithFile(version, definitionIn(file));
    } else {
      diff = await client.workflows.diff(OWN_APP, id, against, to ?? "draft");
    }
    if (given.flag("json")) printJson(shell, diff);
    else {
      const { diffText } = await import("../../../src/definitions/diff/diff-text.ts");
      const text = diffText(diff);
      shell.output.write(printable(isFile ? text.replace(/^\+\+\+ .*/m, `+++ ${what}`) : text));
    }
    const count = diff.added.length + diff.removed.length + diff.changed.length + diff.moved.length;
    if (!given.flag("exit-code") || count === 0) return EXIT.ok;
    if (!given.flag("json")) printMessage(shell, `${count} ${count === 1 ? "difference" : "differences"}`);
    return EXIT.refused;
  },
};
