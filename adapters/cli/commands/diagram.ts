/** `stepwell diagram`: a workflow as a picture. */
import { type Command, EXIT, OUT_ARG, SERVER_ARGS, VERSION_ARG } from "../command.ts";
import { findWorkflow } from "../server/find-workflow.ts";
import { OWN_APP, openClient } from "../server/open-client.ts";
import { wrongUse } from "../terminal/failure.ts";
import { printJson } from "../terminal/shell.ts";
import { writeResult } from "../terminal/write-result.ts";

export const command: Command = {
  description: "Draw a workflow as Mermaid or SVG",
  args: {
    workflow: { type: "positional", description: "Name or id of the workflow, or its file" },
    version: VERSION_ARG,
    format: {
      type: "enum",
      alias: "f",
      options: ["mermaid", "svg"],
      description: "Default: svg for a file NAME.svg, else mermaid",
    },
    out: OUT_ARG,
    ...SERVER_ARGS,
  },
  examples: ["stepwell diagram Intake", "stepwell diagram Intake --version draft -o intake.svg"],
  async run(given, shell) {
    const out = given.text("out");
    const [, type] = /\.(png|jpe?g|gif|webp|pdf)$/i.exec(out ?? "") ?? [];
    if (type !== undefined) {
      throw wrongUse(`stepwell draws no ${type.toUpperCase()}.`, "Write SVG or Mermaid: -o NAME.svg, or -o NAME.mmd.");
    }
    const client = await openClient(given, shell);
    const { id } = await findWorkflow(client, given.text("workflow") ?? "", shell);
    const diagram = await client.workflows.diagram(OWN_APP, id, given.text("version") ?? "latest");
    const isJson = given.flag("json");
    const isSvg = (given.text("format") ?? (out?.endsWith(".svg") ? "svg" : "mermaid")) === "svg";
    const text = isSvg ? diagram.svg : diagram.mermaid;
    if (isJson && out === undefined) printJson(shell, diagram);
    else await writeResult(shell, { text: text.endsWith("\n") ? text : `${text}\n`, out, isJson });
    return EXIT.ok;
  },
};
