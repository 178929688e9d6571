/** Keeps the temporary files of the tests in memory where there is room: they write tens of thousands of small ones. */
import { mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ROOM_BYTES = 2 * 1024 ** 3;
const FOLDER = /^stepwell-tests-(\d+)$/;

/** The environment passes it on: to workers, to processes of the tests, and to the servers and browsers they start. */
export function keepTemporaryFilesInMemory(): void {
  if (process.platform !== "linux" || process.env["TMPDIR"] !== undefined || !hasRoom()) return;
  removeLeftOver();
  const folder = join(MEMORY, `stepwell-tests-${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env["TMPDIR"] = folder;
  process.on("exit", () => remove(folder));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/** What runs left that were killed. */
function removeLeftOver(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) remove(join(MEMORY, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
