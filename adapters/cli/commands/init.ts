/** `stepwell init`: a sample workflow, a config and a server. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { parseObject } from "../../../src/json.ts";
import { type Command, EXIT, OUTPUT_ARGS } from "../command.ts";
import { HOST_NAMES, HOSTS, type HostName, isHostName } from "../init/hosts.ts";
import { projectFiles } from "../init/project-files.ts";
import { type KeptFile, writeFiles } from "../init/write-files.ts";
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
    const layout = { hasSourceFolder: hasSourceFolder(folder) };
    const { created, extended, kept } = await writeFiles(folder, projectFiles(host, layout), given.flag("force"));
    const { title, install, start, takesCommonJs } = HOSTS[host];
    const prepare = !takesCommonJs && (await isCommonJs(folder)) ? "npm pkg delete type" : null;
    if (given.flag("json")) {
      const differs = kept.filter((one) => one.differs).map(({ path }) => path);
      const additions = kept.flatMap(({ path, addition }) => (addition === null ? [] : [{ path, lines: addition }]));
      const result = {
        host,
        created,
        extended,
        kept: kept.map(({ path }) => path),
        differs,
        additions,
        prepare,
        install,
        start,
      };
      printJson(shell, result);
      return EXIT.ok;
    }
    for (const path of created) printLine(shell, `created  ${path}`);
    for (const path of extended) printLine(shell, `extended ${path}`);
    for (const one of kept) printLine(shell, `kept     ${one.path} (${forceHint(one)})`);
    const ofHost = HOSTS[host].files(layout).map(({ path }) => path);
    const other = kept.filter((one) => isOfAnotherServer(one) && ofHost.includes(one.path)).map(({ path }) => path);
    if (other.length > 0)
      printLine(shell, `\n${other.join(", ")} is not the one for ${title}: mount Stepwell in it, or pass --force.`);
    for (const { path, addition } of kept)
      if (addition !== null) printLine(shell, `\nAdd to ${path}:\n\n${addition.replace(/^(?=.)/gm, "  ")}`);
    printLine(shell, `\n${nextSteps(relative(shell.cwd, folder), title, { prepare, install, start })}`);
    return EXIT.ok;
  },
};

const isOfAnotherServer = ({ file, differs }: KeptFile) => differs && file.addition === undefined;

function forceHint({ path, file }: KeptFile): string {
  if (path !== file.path) return `instead of ${file.path}, also with --force`;
  return "--force replaces it";
}

/** Next.js reads `src/` only if none of its folders is at the top. */
function hasSourceFolder(folder: string): boolean {
  const has = (path: string) => existsSync(join(folder, path));
  return !has("app") && !has("pages") && (has("src/app") || has("src/pages"));
}

async function isCommonJs(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "");
  return parseObject(text)?.["type"] === "commonjs";
}

/** What to type, from the first command to the first run, for development and for the server. */
function nextSteps(
  folder: string,
  title: string,
  { prepare, install, start }: { readonly prepare: string | null; readonly install: string; readonly start: string },
): string {
  const row = (command: string, note = "") => `  ${command.padEnd(60)}${note}`.trimEnd();
  return [
    "Next:",
    ...(folder === "" ? [] : [row(`cd ${quoted(folder)}`)]),
    ...(prepare === null ? [] : [row(prepare, `# ${title} cannot compile modules with "type": "commonjs"`)]),
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
