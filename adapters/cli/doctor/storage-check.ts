/** Checks, and repairs, the data of a folder. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { repairStorage } from "../../../src/index.ts";
import fsDriver from "../../storage/fs.ts";
import { DATA_FOLDER } from "../server/dev-file.ts";
import { type Check, failed, ok, reasonOf, skipped } from "./check.ts";

/** @param isRepair Whether to repair damage, and not only to report it. */
export async function checkStorage(folder: string, isRepair: boolean): Promise<Check> {
  const base = join(folder, DATA_FOLDER);
  if (!existsSync(base)) return skipped("storage", `there is no ${DATA_FOLDER}`);
  const driver = fsDriver({ base });
  try {
    const { checked, damaged, rebuilt, lost } = await repairStorage({ driver, isDryRun: !isRepair, logger: SILENT });
    const problems = [...damaged, ...rebuilt.map((name) => `list ${name}`)];
    if (problems.length === 0) return ok("storage", `${checked} items are intact`);
    const shown = problems.slice(0, MAX_SHOWN).join(", ") + (problems.length > MAX_SHOWN ? ", …" : "");
    const found = `${problems.length} of ${checked} items are damaged: ${shown}.`;
    if (!isRepair) return failed("storage", found, "Back the folder up, then type: stepwell doctor --repair");
    const rest = lost.length === 0 ? "nothing was lost" : `lost: ${lost.join(", ")}`;
    return ok("storage", `${found} Repaired; ${rest}`);
  } catch (error) {
    const reason = reasonOf(error);
    if (isRepair) return failed("storage", reason, "Stop the server of this folder, then repair it again.");
    return skipped("storage", `not checked while a server uses it: ${reason}`);
  } finally {
    await driver.dispose?.();
  }
}

const MAX_SHOWN = 5;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
