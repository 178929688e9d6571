/** Runs a program that measures something and prints it as a number, in a process of its own. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * @param program Path of the program in this folder.
 * @param flags Of Node.js.
 */
export async function runMeasure(program: string, flags: readonly string[]): Promise<number> {
  const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const args = [...flags, "--import", pathOf("typescript/register.js"), pathOf(program)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}
