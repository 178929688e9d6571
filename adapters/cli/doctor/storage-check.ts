/** Checks, and repairs, the data of a folder. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type RepairReport, repairStorage, type StorageOptions } from "../../../src/index.ts";
import fsDriver from "../../storage/fs/fs.ts";
import { DATA_FOLDER } from "../server/dev-file.ts";
import { type Check, failed, ok, reasonOf, skipped } from "./check.ts";

/**
 * @param isRepair Whether to repair damage, and not only to report it.
 * @param options What the config says of the storage.
 */
export async function checkStorage(folder: string, isRepair: boolean, options: StorageOptions = {}): Promise<Check> {
  const { entities, blobs } = options;
  if (entities !== undefined && "createStore" in entities) {
    const message = `The config uses the store "${entities.name}", which this command doesn't check.`;
    return isRepair ? failed("storage", message, OF_STORES) : skipped("storage", `${message} ${OF_STORES}`);
  }
  const base = join(folder, DATA_FOLDER);
  const found = await stat(base).catch(() => null);
  if (found === null) return skipped("storage", `there is no ${DATA_FOLDER}`);
  if (!found.isDirectory()) {
    return failed("storage", `${base} is not a folder.`, "Move the file away: Stepwell keeps its data in this folder.");
  }
  const driver = fsDriver({ base });
  try {
    const report = await repairStorage({
      driver,
      blobs: blobs === undefined ? driver : null,
      isDryRun: !isRepair,
      logger: SILENT,
    });
    return checkOf(report, isRepair);
  } catch (error) {
    const reason = reasonOf(error);
    if (isRepair) return failed("storage", reason, "Stop the server of this folder, then repair it again.");
    return skipped("storage", `not checked while a server uses it: ${reason}`);
  } finally {
    await driver.dispose?.();
  }
}

function checkOf({ checked, damaged, rebuilt, losses }: RepairReport, isRepair: boolean): Check {
  const problems = [...damaged, ...rebuilt.map((name) => `list ${name}`)];
  if (problems.length + losses.length === 0) return ok("storage", `${checked} items are intact`);
  const found =
    problems.length === 0 ? "" : `${problems.length} of ${checked} items are damaged: ${shown(problems, ", ")}. `;
  const lost = losses.map(({ kind, id, name, detail }) => {
    const title = name === null ? id : `${id} (${name})`;
    return `${kind === "bytes" ? "the bytes of" : kind} ${title}: ${detail}`;
  });
  const rest = lost.length === 0 ? "" : `Lost: ${shown(lost, " ")}`;
  if (!isRepair && problems.length > 0) {
    return failed("storage", found + rest, "Back the folder up, then type: stepwell doctor --repair");
  }
  if (losses.length === 0) return ok("storage", `${found}Repaired; nothing was lost`);
  return failed("storage", `${found}${problems.length > 0 ? "Repaired. " : ""}${rest}`, RESTORE);
}

const OF_STORES = "Use the tools of its database; for SQLite: PRAGMA integrity_check.";

const RESTORE =
  "Restore a backup, or create what is lost again: deploy the workflow, upload the file, or delete what refers to it.";

const shown = (all: readonly string[], separator: string) =>
  all.slice(0, MAX_SHOWN).join(separator) + (all.length > MAX_SHOWN ? `${separator}… ${all.length} in total.` : "");

const MAX_SHOWN = 5;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
