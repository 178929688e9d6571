/** `stepwell init`: a sample workflow, a config and a server. */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Command, EXIT, OUTPUT_ARGS } from "../command.ts";
import { HOST_NAMES, HOSTS, type HostName, isHostName } from "../init/hosts.ts";
import { projectFiles } from "../init/project-files.ts";
import { wrongUse } from "../terminal/failure.ts";
import { printJson, printLine, type Shell } from "../terminal/shell.ts";

export const command: Command = {
  description: "Write a sample workflow, a config, and a server that mounts Stepwell",
  args: {
    folder: { type: "positional", required: false, description: "Folder of the project (default: this one)" },
    host: { type: "string", valueHint: HOST_NAMES.join("|"), description: "What mounts Stepwell (default: asks)" },
    force: { type: "boolean", description: "Replace files that exist" },
    ...OUTPUT_ARGS,
  },
  examples: ["stepwell init", "stepwell init my-project --host hono"],
  async run(given, shell) {
    const folder = resolve(shell.cwd, given.text("folder") ?? ".");
    const host = await chosenHost(given.text("host"), shell);
    const created: string[] = [];
    const kept: string[] = [];
    for (const { path, text } of projectFiles(host, { hasSourceFolder: existsSync(join(folder, "src/app")) })) {
      const target = join(folder, path);
      if (existsSync(target) && !given.flag("force")) {
        kept.push(path);
        continue;
      }
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
      created.push(path);
    }
    const { install, start } = HOSTS[host];
    if (given.flag("json")) {
      printJson(shell, { host, created, kept, install, start });
      return EXIT.ok;
    }
    for (const path of created) printLine(shell, `created  ${path}`);
    for (const path of kept) printLine(shell, `kept     ${path} (--force replaces it)`);
    const steps = [install, "npx stepwell dev", start].map((step, index) => `  ${step.padEnd(52)}${NOTES[index]}`);
    printLine(shell, `\nNext:\n${steps.join("\n")}`);
    return EXIT.ok;
  },
};

const NOTES = ["", "# for development", "# the server, instead of dev"];

async function chosenHost(typed: string | undefined, shell: Shell): Promise<HostName> {
  if (typed !== undefined) {
    const name = typed.toLowerCase();
    if (isHostName(name)) return name;
    throw wrongUse(`There is no host ${JSON.stringify(typed)}.`, `Pass --host ${HOST_NAMES.join(", ")}.`);
  }
  if (!shell.isInteractive) throw wrongUse("Name the host.", `Pass --host ${HOST_NAMES.join(", ")}.`);
  const { openAsk } = await import("../form/ask.ts");
  const choices = HOST_NAMES.map((value) => ({ value, label: HOSTS[value].title }));
  const name = await (await openAsk(shell)).select("What mounts Stepwell?", choices);
  return isHostName(name) ? name : "express";
}
