#!/usr/bin/env node
/** The program `stepwell`. */
import { main } from "./main.ts";
import { readVersion } from "./package-version.ts";

const interrupted = new AbortController();
// The first time, the command ends what it does in order. The second time, the process ends.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());

const shell = {
  env: process.env,
  cwd: process.cwd(),
  input: process.stdin,
  output: process.stdout,
  messages: process.stderr,
  isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true && !process.env["CI"],
  signal: interrupted.signal,
};
// A reader such as `head` may close the pipe: the rest has no reader.
process.stdout.on("error", () => process.exit());
process.exitCode = await main(process.argv.slice(2), shell, await readVersion());
