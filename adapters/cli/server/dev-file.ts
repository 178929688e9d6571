/** `.stepwell/.dev.json`: what `stepwell dev` keeps for itself, and where other commands find its server. */
import { chmod, constants, copyFile, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemErrorCode } from "../../../src/errors.ts";
import { isRecord } from "../../../src/json.ts";

export interface DevFile {
  /** Encrypts credentials of the folder. Without it they are lost. */
  readonly secret: string;
  readonly admin_key: string;
  /** App that the key belongs to; null before the first start. */
  readonly app_id: string | null;
  readonly key: string | null;
  /** Address of the server; null while none runs. */
  readonly url: string | null;
}

/** The folder of the data. Drivers ignore files whose names start with a dot. */
export const DATA_FOLDER = ".stepwell";

export const devFilePath = (folder: string) => join(folder, DATA_FOLDER, ".dev.json");

/** Null if there is none, or if it is damaged. */
export async function readDevFile(folder: string): Promise<DevFile | null> {
  try {
    const found: unknown = JSON.parse(await readFile(devFilePath(folder), "utf8"));
    if (!isRecord(found)) return null;
    const { secret, admin_key, app_id, key, url } = found;
    if (typeof secret !== "string" || typeof admin_key !== "string") return null;
    return { secret, admin_key, app_id: textOf(app_id), key: textOf(key), url: textOf(url) };
  } catch {
    return null;
  }
}

/**
 * Keeps a copy of a file that cannot be read: it may still contain the secret.
 * @returns Path of the copy; null if there is no file.
 */
export async function keepDamagedDevFile(folder: string): Promise<string | null> {
  const path = devFilePath(folder);
  for (let number = 1; ; number++) {
    const copy = `${path}.damaged-${number}`;
    try {
      await copyFile(path, copy, constants.COPYFILE_EXCL);
      await chmod(copy, 0o600);
      return copy;
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOENT") return null;
      if (code !== "EEXIST") throw error;
    }
  }
}

/** Whether the folder has data, whose credentials are encrypted with the secret of the file. */
export async function hasData(folder: string): Promise<boolean> {
  const names = await readdir(join(folder, DATA_FOLDER)).catch(() => []);
  return names.some((name) => !name.startsWith("."));
}

const textOf = (value: unknown) => (typeof value === "string" ? value : null);

/** Only its owner may read the file: it contains keys. */
export async function writeDevFile(folder: string, content: DevFile): Promise<void> {
  const data = join(folder, DATA_FOLDER);
  await mkdir(data, { recursive: true });
  await writeFile(join(data, ".gitignore"), "*\n");
  const path = devFilePath(folder);
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, path);
}
