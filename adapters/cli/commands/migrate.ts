/** `stepwell migrate`: copies all data to another storage. */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { type MigratedStorage, type MigrationReport, migrateStorage } from "../../../src/index.ts";
import { type Command, EXIT, OUTPUT_ARGS } from "../command.ts";
import { LOCATIONS, openLocation } from "../migrate/open-location.ts";
import { createProgressLine, sizeOf } from "../migrate/progress-line.ts";
import { CommandError, wrongUse } from "../terminal/failure.ts";
import { printJson, printLine, type Shell } from "../terminal/shell.ts";
import { columns } from "../terminal/table.ts";

export const command: Command = {
  description: "Copy all data to another storage; stop the server before, and repeat the command if it was interrupted",
  args: {
    from: { type: "string", valueHint: "storage", description: `What to copy: ${LOCATIONS}` },
    to: { type: "string", valueHint: "storage", description: "Where to copy it, in the same forms. It must be empty" },
    "from-blobs": { type: "string", valueHint: "storage", description: "Where the bytes of files are, if elsewhere" },
    blobs: {
      type: "string",
      valueHint: "storage",
      description: "Where to put the bytes of files, if elsewhere; the same as in --from leaves them there",
    },
    ...OUTPUT_ARGS,
  },
  examples: [
    "stepwell migrate --from .stepwell --to sqlite:store.db",
    "stepwell migrate --from .stepwell --to postgres://stepwell:$PASSWORD@127.0.0.1/stepwell --blobs .stepwell",
    "stepwell migrate --from redis://127.0.0.1:6379#stepwell --to .stepwell",
  ],
  async run(given, shell) {
    const typed = { from: required(given.text("from"), "--from"), to: required(given.text("to"), "--to") };
    if (placeOf(typed.from, shell) === placeOf(typed.to, shell)) {
      throw wrongUse("--from and --to are the same storage.", "Pass another one with --to.");
    }
    for (const option of ["to", "blobs"]) refuseWithin(typed.from, option, given.text(option), shell);
    const from = await withBlobs(
      await openLocation(typed.from, shell.cwd, "--from"),
      given.text("from-blobs"),
      "--from-blobs",
      shell,
    );
    if (blobsOf(from) === undefined) {
      const hint = "Pass where they are with --from-blobs, such as --from-blobs .stepwell.";
      throw wrongUse(`${typed.from.split(":")[0]} does not store the bytes of files.`, hint);
    }
    const blobs = given.text("blobs");
    const isKept =
      blobs !== undefined && placeOf(blobs, shell) === placeOf(given.text("from-blobs") ?? typed.from, shell);
    const target = await openLocation(typed.to, shell.cwd, "--to");
    const to = isKept ? { ...target, blobs: blobsOf(from) } : await withBlobs(target, blobs, "--blobs", shell);
    if (blobsOf(to) === undefined) {
      const hint = `Pass a folder for them with --blobs. --blobs ${typed.from} leaves them where they are.`;
      throw wrongUse(`${typed.to.split(":")[0]} does not store the bytes of files.`, hint);
    }
    printReport(await migrate(from, to, shell), shell, given.flag("json"));
    return EXIT.ok;
  },
};

function required(typed: string | undefined, option: string): string {
  if (typed !== undefined && typed !== "") return typed;
  throw wrongUse(`${option} is missing.`, `Pass ${LOCATIONS}.`);
}

/** Folders have many names, and so have files. */
function placeOf(typed: string, { cwd }: Shell): string {
  const path = pathOf(typed, cwd);
  return path === null ? typed : realPath(path);
}

/** The path of a folder or of a SQLite file. */
function pathOf(typed: string, cwd: string): string | null {
  if (typed.startsWith("sqlite:")) return resolve(cwd, typed.slice("sqlite:".length));
  return typed.includes(":") && !isAbsolute(typed) ? null : resolve(cwd, typed);
}

/** The path without links, of what may not be there yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

/** The folder of the source must stay as it is. */
function refuseWithin(from: string, option: string, typed: string | undefined, shell: Shell): void {
  if (typed === undefined || pathOf(typed, shell.cwd) === null) return;
  const source = pathOf(from, shell.cwd);
  if (source === null || !placeOf(typed, shell).startsWith(`${realPath(source)}${sep}`)) return;
  throw wrongUse(`--${option} ${typed} is inside the folder of --from.`, "Pass a place outside of it.");
}

async function withBlobs(
  storage: MigratedStorage,
  typed: string | undefined,
  option: string,
  shell: Shell,
): Promise<MigratedStorage> {
  if (typed === undefined) return storage;
  const blobs = blobsOf(await openLocation(typed, shell.cwd, option));
  if (blobs === undefined) throw wrongUse(`${option} ${typed} does not store bytes.`, "Pass a folder.");
  return { ...storage, blobs };
}

function blobsOf({ entities, blobs }: MigratedStorage) {
  if (blobs !== undefined) return blobs;
  return "createStore" in entities ? entities.blobs : entities;
}

async function migrate(from: MigratedStorage, to: MigratedStorage, shell: Shell): Promise<MigrationReport> {
  const line = createProgressLine(shell);
  try {
    return await migrateStorage({ from, to, signal: shell.signal, onProgress: line.show, logger: SILENT });
  } catch (error) {
    if (shell.signal.aborted) {
      throw new CommandError(EXIT.refused, "Interrupted.", "Repeat the command: it goes on where it was.");
    }
    throw error instanceof Error ? refusedBy(error) : error;
  } finally {
    line.clear();
  }
}

/** None of them is about a server. */
function refusedBy(error: Error): CommandError {
  const code = "code" in error && typeof error.code === "string" ? error.code : "failed";
  const hint =
    code === "unavailable" ? "Repeat the command once that is corrected: it goes on where it was." : undefined;
  return new CommandError(EXIT.refused, error.message, hint, [], code);
}

function printReport(report: MigrationReport, shell: Shell, isJson: boolean): void {
  if (isJson) {
    printJson(shell, report);
    return;
  }
  const { documents, lists, rows, files, bytes, isResumed } = report;
  printLine(
    shell,
    isResumed ? "Resumed and finished. Both storages contain the same:" : "Both storages contain the same:",
  );
  const counts = Object.entries({ documents, lists, "rows of lists": rows, files });
  const sizes: (readonly [string, string])[] = [["bytes of files", sizeOf(bytes)]];
  printLine(
    shell,
    columns([
      ...counts.map(([name, count]) => [`  ${name}`, String(count)]),
      ...sizes.map(([name, size]) => [`  ${name}`, size]),
    ]),
  );
  printLine(shell, "Set `storage` of your service to the new one. The old one is unchanged.");
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
