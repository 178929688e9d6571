/** `stepwell import`: creates what an export defines. */

import { isStepwellError } from "../../../src/errors.ts";
import type { WorkflowsApi } from "../../../src/index.ts";
import { isRecord, type JsonObject } from "../../../src/json.ts";
import { type Command, EXIT, SERVER_ARGS } from "../command.ts";
import { lineOfPointer } from "../json/json-place.ts";
import { readJsonFile } from "../json/read-json.ts";
import { OWN_APP, openClient } from "../server/open-client.ts";
import { serverChecked } from "../server/server-checked.ts";
import { problemOf, refused, wrongUse } from "../terminal/failure.ts";
import { printJson, printLine, printMessage } from "../terminal/shell.ts";
import { withSpinner } from "../terminal/with-spinner.ts";

type BundleInput = Parameters<WorkflowsApi["import"]>[1];

export const command: Command = {
  description: "Create what an export of a workflow or an app defines",
  args: {
    file: { type: "positional", description: "The export, or - for standard input" },
    reuse: {
      type: "string",
      valueHint: "id=id",
      description: "Use a resource of the app instead of one of the file; repeatable",
    },
    ...SERVER_ARGS,
  },
  examples: [
    "stepwell import intake.export.json",
    "stepwell export Intake --url $STAGING --key $K1 | stepwell import - --url $PRODUCTION --key $K2",
  ],
  async run(given, shell) {
    const path = given.text("file") ?? "-";
    const reuse = given.all("reuse").map(pairOf);
    const { value, text } = await readJsonFile(path, shell);
    if (!isRecord(value) || value["format"] !== "stepwell") {
      throw refused(
        `${path}:1: is no export: "format" must be "stepwell".`,
        `Deploy a workflow file: stepwell deploy ${path}`,
      );
    }
    const listed = value["reuse"];
    const bundle =
      reuse.length === 0 ? value : { ...value, reuse: [...(Array.isArray(listed) ? listed : []), ...reuse] };
    const client = await openClient(given, shell);
    const imported = await withSpinner(shell, "Importing", () =>
      client.workflows.import(OWN_APP, serverChecked<BundleInput>(bundle)),
    ).catch((error: unknown) => {
      if (!isStepwellError(error) || error.errors.length === 0) throw error;
      const problems = error.errors.map((one) => {
        const line = lineOfPointer(text, one.pointer);
        const { place, ...problem } = problemOf(one);
        return { place: `${path}:${line}: ${place}`, ...problem, file: path, line };
      });
      throw refused(`${path} was not imported.`, undefined, problems);
    });
    if (given.flag("json")) {
      printJson(shell, imported);
      return EXIT.ok;
    }
    const count = Object.keys(imported.ids).length;
    printMessage(shell, `Imported ${count} ${count === 1 ? "resource" : "resources"}.`);
    if (imported.workflow_id !== null) printLine(shell, imported.workflow_id);
    for (const { id, secret } of imported.webhooks) printLine(shell, `webhook ${id} is off; its secret: ${secret}`);
    return EXIT.ok;
  },
};

function pairOf(text: string): JsonObject {
  const [id = "", use_id = "", ...more] = text.split("=");
  if (id !== "" && use_id !== "" && more.length === 0) return { id, use_id };
  throw wrongUse(`--reuse ${text} names no two ids.`, "Type --reuse ID_IN_FILE=ID_IN_APP.");
}
