/** `stepwell init`: a sample workflow, a config and a server. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { type Command, EXIT, OUTPUT_ARGS } from "../command.ts";
import { addLines } from "../init/add-lines.ts";
import { HOST_NAMES, HOSTS, type HostName, isHostName, type ProjectFile } from "../init/hosts.ts";
import { projectFiles } from "../init/project-files.ts";
import { wrongUse } from "../terminal/failure.ts";
import { printJson, printLine, type Shell } from "../terminal/shell.ts";

export const command: Command = {
  description: "Write a sample workflow, a config, and a server that mounts Stepwell",
  args: {
    folder: { type: "positional", required: false, description: "Folder of the project (default: this one)" },
    host: { type: "string", valueHint: HOST_NAMES.join("|"), description: "What mounts Stepwell (default: asks)" },
    force: { type: "boolean", description: "Replace files that exist; a .gitignore gets what it lacks" },
    ...OUTPUT_ARGS,
  },
  examples: ["stepwell init", "stepwell init my-project --host hono"],
  async run(given, shell) {
    const folder = resolve(shell.cwd, given.text("folder") ?? ".");
    const host = await chosenHost(given.text("host"), shell);
    const created: string[] = [];
    const kept: ProjectFile[] = [];
    /** Kept files with another content than the one for the host. */
    const differs: string[] = [];
    for (const file of projectFiles(host, { hasSourceFolder: existsSync(join(folder, "src/app")) })) {
      const { path, text, keepsLines = false } = file;
      const target = join(folder, path);
      const exists = existsSync(target);
      const before = exists ? await readFile(target, "utf8").catch(() => null) : null;
      const after = keepsLines && before !== null ? addLines(before, text) : text;
      if (exists && !given.flag("force")) {
        kept.push(file);
        if (before !== after) differs.push(path);
        continue;
      }
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, after);
      created.push(path);
    }
    const { install, start } = HOSTS[host];
    if (given.flag("json")) {
      printJson(shell, { host, created, kept: kept.map(({ path }) => path), differs, install, start });
      return EXIT.ok;
    }
    for (const path of created) printLine(shell, `created  ${path}`);
    for (const { path, keepsLines = false } of kept) {
      printLine(shell, `kept     ${path} (--force ${keepsLines ? "adds what it lacks" : "replaces it"})`);
    }
    const other = differs.filter((path) => hostFiles(host).includes(path));
    if (other.length > 0) {
      const title = HOSTS[host].title;
      printLine(shell, `\n${other.join(", ")} is not the one for ${title}: mount Stepwell in it, or pass --force.`);
    }
    printLine(shell, `\n${nextSteps(relative(shell.cwd, folder), install, start)}`);
    return EXIT.ok;
  },
};

const hostFiles = (host: HostName) => HOSTS[host].files({ hasSourceFolder: false }).map(({ path }) => path);

/** What to type, from the first command to the first run, for development and for the server. */
function nextSteps(folder: string, install: string, start: string): string {
  const row = (command: string, note = "") => `  ${command.padEnd(60)}${note}`.trimEnd();
  return [
    "Next:",
    ...(folder === "" ? [] : [row(`cd ${quoted(folder)}`)]),
    row(install),
    row("npx stepwell dev", "# for development"),
    "",
    "The server, instead of dev:",
    row("export STEPWELL_ADMIN_KEY=$(openssl rand -hex 32)", "# keep both"),
    row("export STEPWELL_SECRET=$(openssl rand -base64 32)"),
    row(`${start} &`, "# wait until it listens"),
    row("export STEPWELL_URL=http://localhost:3000/automation"),
    row("export STEPWELL_KEY=$(npx stepwell key create --new-app Main)"),
    row("npx stepwell deploy"),
    row('npx stepwell run "Expense check"'),
    "",
    "  Console    http://localhost:3000/automation/console/",
    "             Sign in with $STEPWELL_KEY, or with $STEPWELL_ADMIN_KEY to manage apps and keys.",
  ].join("\n");
}

const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);

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
