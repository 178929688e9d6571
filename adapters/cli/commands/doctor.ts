/** `stepwell doctor`: checks what Stepwell needs, and repairs a damaged folder. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Command, EXIT, type Given, SERVER_ARGS } from "../command.ts";
import { type Check, skipped } from "../doctor/check.ts";
import {
  checkClock,
  checkConfig,
  checkPackages,
  checkPort,
  checkRuntime,
  checkSecret,
} from "../doctor/local-checks.ts";
import { checkServer, type ServerFindings } from "../doctor/server-checks.ts";
import { checkStorage } from "../doctor/storage-check.ts";
import { readVersion } from "../package-version.ts";
import { readDevFile } from "../server/dev-file.ts";
import { findServer } from "../server/find-server.ts";
import { CommandError, wrongUse } from "../terminal/failure.ts";
import { printable, printJson, printLine, type Shell } from "../terminal/shell.ts";
import { withSpinner } from "../terminal/with-spinner.ts";

const DEFAULT_PORT = 3_000;

export const command: Command = {
  description: "Check versions, packages, config, secret, storage, port, clock and a server; repair a damaged folder",
  args: {
    folder: { type: "positional", required: false, description: "Folder of the project (default: this one)" },
    port: { type: "string", alias: "p", valueHint: "number", description: "Port that must be free (default: 3000)" },
    repair: { type: "boolean", description: "Repair the data in .stepwell; stop its server before" },
    ...SERVER_ARGS,
  },
  examples: [
    "stepwell doctor",
    "stepwell doctor --url https://example.com/automation --key $KEY",
    "stepwell doctor --repair",
  ],
  async run(given, shell) {
    const cwd = resolve(shell.cwd, given.text("folder") ?? ".");
    if (!(await isFolder(cwd))) throw wrongUse(`There is no folder ${cwd}.`, "Pass the folder of a project.");
    const checks = await allChecks(given, { ...shell, cwd });
    const isFailed = checks.some(({ status }) => status === "failed");
    if (given.flag("json")) printJson(shell, { ok: !isFailed, version: await readVersion(), checks });
    else {
      printLine(shell, `Stepwell ${await readVersion()}`);
      for (const check of checks) printCheck(check, shell);
    }
    return isFailed ? EXIT.refused : EXIT.ok;
  },
};

const MARKS: Readonly<Record<Check["status"], string>> = { ok: "✓", warning: "!", failed: "✗", skipped: "-" };

function printCheck({ name, status, message, hint }: Check, shell: Shell): void {
  printLine(shell, printable(`${MARKS[status]} ${name.padEnd(10)}  ${message}`));
  if (hint !== undefined) printLine(shell, printable(`${"".padEnd(14)}${hint}`));
}

async function allChecks(given: Given, shell: Shell): Promise<Check[]> {
  const folder = shell.cwd;
  const port = portOf(given.text("port"));
  const { check: configCheck, config } = await checkConfig(folder);
  const dev = await readDevFile(folder);
  const isOwnServer = dev?.url != null && Number(new URL(dev.url).port) === port;
  const server = await serverFindings(given, shell);
  return [
    checkRuntime(process.versions),
    checkPackages(folder),
    configCheck,
    await checkSecret(folder, config),
    await withSpinner(shell, "Checking the data", () =>
      checkStorage(folder, given.flag("repair"), config?.options.storage),
    ),
    await checkPort(port, isOwnServer),
    ...server.checks,
    checkClock(Date.now(), server.time),
  ];
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function serverFindings(given: Given, shell: Shell): Promise<ServerFindings> {
  try {
    return await checkServer(await findServer(given, shell));
  } catch (error) {
    const isTyped = given.text("url") !== undefined;
    if (!(error instanceof CommandError) || isTyped) throw error;
    return { checks: [skipped("server", "pass --url to check one")], time: null };
  }
}

function portOf(typed: string | undefined): number {
  const port = typed === undefined ? DEFAULT_PORT : Number(typed);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw wrongUse(`--port ${typed} is no port.`, "Pass a number from 0 to 65535.");
}
