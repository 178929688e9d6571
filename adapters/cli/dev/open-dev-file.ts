/** Opens `.stepwell/.dev.json` for `stepwell dev`, and creates it for the first start. */
import { randomBytes } from "node:crypto";
import { relative } from "node:path";
import {
  DATA_FOLDER,
  type DevFile,
  devFilePath,
  hasData,
  keepDamagedDevFile,
  readDevFile,
  writeDevFile,
} from "../server/dev-file.ts";
import type { Reporter } from "./reporter.ts";

export async function openDevFile(folder: string, reporter: Reporter): Promise<DevFile> {
  const found = await readDevFile(folder);
  if (found !== null) return found;
  const copy = await keepDamagedDevFile(folder);
  if (copy !== null) {
    reporter.warning(
      `${relative(folder, devFilePath(folder))} is damaged. ${relative(folder, copy)} is a copy. ${LOST}`,
    );
  } else if (await hasData(folder)) {
    reporter.warning(`${DATA_FOLDER} has data, but its .dev.json is missing. ${LOST}`);
  }
  const created = { secret: random(), admin_key: random(), app_id: null, key: null, url: null };
  await writeDevFile(folder, created);
  return created;
}

const LOST =
  "Stored credentials can't be read without its secret: restore the file, or store them again. " +
  "A secret in the config is not affected.";

const random = () => randomBytes(32).toString("base64url");
