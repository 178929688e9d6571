/** `stepwell dev`: a server for development in this folder. */
import { stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type Command, OUTPUT_ARGS } from "../command.ts";
import { createReporter } from "../dev/reporter.ts";
import { runDev } from "../dev/run-dev.ts";
import { readVersion } from "../package-version.ts";
import { DATA_FOLDER, devFilePath } from "../server/dev-file.ts";
import { refused, wrongUse } from "../terminal/failure.ts";

const DEFAULT_PORT = "3000";
const MAX_PORT = 65_535;
const ENTRY = import.meta.url.endsWith(".ts") ? "../dev/dev-server.ts" : "./dev-server.js";

export const command: Command = {
  description: "Run a server for development: data in .stepwell, workflows/*.json deployed when they change",
  args: {
    folder: { type: "positional", required: false, description: "Folder of the project (default: this one)" },
    port: {
      type: "string",
      alias: "p",
      valueHint: "number",
      description: `Port (default: ${DEFAULT_PORT}; 0 picks a free one)`,
    },
    host: { type: "string", valueHint: "name", description: "Host to listen on (default: localhost)" },
    sample: { type: "boolean", default: true, description: "Create a sample if there is no folder workflows" },
    open: { type: "boolean", default: true, description: "Open the console in a browser, in a terminal" },
    ...OUTPUT_ARGS,
  },
  examples: ["stepwell dev", "stepwell dev --port 4000 --no-open"],
  async run(given, shell) {
    const text = given.text("port") ?? DEFAULT_PORT;
    const port = Number(text);
    if (!/^\d+$/.test(text) || port > MAX_PORT) {
      throw wrongUse(`--port ${text} is no port.`, `Pass a number from 0 to ${MAX_PORT}.`);
    }
    const cwd = resolve(shell.cwd, given.text("folder") ?? ".");
    await checkFolder(cwd);
    const isJson = given.flag("json");
    const keyFile = relative(shell.cwd, devFilePath(cwd));
    const reporter = createReporter(shell, { isJson, version: await readVersion(), keyFile });
    const entry = new URL(ENTRY, import.meta.url);
    const hasSample = given.flag("sample");
    const opensConsole = given.flag("open") && !isJson;
    const settings = { entry, port, host: given.text("host") ?? "localhost", hasSample, opensConsole, isJson };
    return runDev(settings, { ...shell, cwd }, reporter);
  },
};

/** @throws CommandError for a folder that was perhaps mistyped, and for data that cannot be stored */
async function checkFolder(folder: string): Promise<void> {
  const [found, data] = await Promise.all(
    [folder, join(folder, DATA_FOLDER)].map((path) => stat(path).catch(() => null)),
  );
  if (found == null)
    throw wrongUse(`There is no folder ${folder}.`, "Create it, or write a project: stepwell init FOLDER");
  if (!found.isDirectory()) throw wrongUse(`${folder} is not a folder.`, "Pass the folder of a project.");
  if (data?.isDirectory() === false) {
    throw refused(
      `${join(folder, DATA_FOLDER)} is not a folder.`,
      "Move the file away: Stepwell keeps its data there.",
    );
  }
}
