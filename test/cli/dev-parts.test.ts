/** Parts of `stepwell dev` without a server: keys of a terminal, the logger of a start, and the config. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { listenToKeys } from "../../adapters/cli/dev/key-presses.ts";
import { loadConfig } from "../../adapters/cli/dev/load-config.ts";
import { createStartLogger } from "../../adapters/cli/dev/start-logger.ts";
import type { Shell } from "../../adapters/cli/terminal/shell.ts";

it("listenToKeys sets the mode of the terminal again when another process has reset it", () => {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => void modes.push(isRaw) });
  const streams = { output: new PassThrough(), messages: new PassThrough() };
  const shell: Shell = {
    env: {},
    cwd: "/",
    input,
    ...streams,
    isInteractive: true,
    signal: new AbortController().signal,
  };
  const keys = listenToKeys(shell, {});
  expect(modes).toEqual([true]);
  keys.restore();
  expect(modes).toEqual([true, false, true]);
  keys.close();
  expect(modes.at(-1)).toBe(false);
});

it("loadConfig rejects a config that does not finish loading", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stepwell-config-"));
  await writeFile(join(folder, "stepwell.config.mjs"), "await new Promise(() => {}); export default {};");
  await expect(loadConfig(folder, 1)).rejects.toThrow("stepwell.config.mjs: did not finish loading within 1 ms.");
  await rm(folder, { recursive: true });
});

it("createStartLogger prints nothing unless the server starts", () => {
  const printed: string[] = [];
  const print = { warn: (text: string) => void printed.push(text), error: (text: string) => void printed.push(text) };
  const { logger, hasStarted } = createStartLogger(print);
  logger.error("one");
  expect(printed).toEqual([]);
  hasStarted();
  logger.warn("two");
  expect(printed).toEqual(["stepwell: one", "stepwell: two"]);
});
