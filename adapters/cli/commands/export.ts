/** `stepwell export`: definitions as one JSON document. */
import { type Command, EXIT, OUT_ARG, SERVER_ARGS, VERSION_ARG } from "../command.ts";
import { findWorkflow } from "../server/find-workflow.ts";
import { OWN_APP, openClient } from "../server/open-client.ts";
import { wrongUse } from "../terminal/failure.ts";
import { jsonText } from "../terminal/shell.ts";
import { withSpinner } from "../terminal/with-spinner.ts";
import { writeResult } from "../terminal/write-result.ts";

export const command: Command = {
  description: "Export a workflow with what it uses, or everything that the app defines",
  args: {
    workflow: { type: "positional", required: false, description: "Name or id (default: the whole app)" },
    version: VERSION_ARG,
    out: OUT_ARG,
    ...SERVER_ARGS,
  },
  examples: ["stepwell export Intake -o intake.export.json", "stepwell export -o app.json"],
  async run(given, shell) {
    const typed = given.text("workflow");
    const version = given.text("version");
    if (typed === undefined && version !== undefined) throw wrongUse("--version needs a workflow.");
    const client = await openClient(given, shell);
    const workflow = typed === undefined ? null : await findWorkflow(client, typed, shell);
    const bundle = await withSpinner(shell, "Exporting", () =>
      workflow === null
        ? client.apps.export(OWN_APP)
        : client.workflows.export(OWN_APP, workflow.id, version ?? "latest"),
    );
    const counts = Object.entries(bundle).flatMap(([name, list]) =>
      Array.isArray(list) ? [`${list.length} ${name}`] : [],
    );
    await writeResult(shell, {
      text: `${jsonText(bundle, 2)}\n`,
      out: given.text("out"),
      isJson: given.flag("json"),
      about: counts.join(", "),
    });
    return EXIT.ok;
  },
};
