/** Runs examples/requests.sh unchanged, with a curl of the tests, so that they need none. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./build.ts";

const run = promisify(execFile);

export async function sendRequests(url: string, given: { readonly ADMIN_KEY?: string } = {}): Promise<string> {
  const path = `${join(root, "test/runtimes/curl")}:${process.env["PATH"]}`;
  const env = { ...process.env, PATH: path, ...given };
  const { stdout } = await run("sh", ["examples/requests.sh", url], { cwd: root, env });
  return stdout;
}
