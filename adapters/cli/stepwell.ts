#!/usr/bin/env node
/** The program `stepwell`. */
import { systemErrorCode } from "../../src/errors.ts";
import { main } from "./main.ts";
import { readVersion } from "./package-version.ts";
import { EXIT } from "./terminal/failure.ts";

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
process.stdout.on("error", (error) => {
  // A reader such as `head` may close the pipe: the rest has no reader.
  if (systemErrorCode(error) === "EPIPE") process.exit(EXIT.ok);
  process.stderr.write(`error: Standard output cannot be written: ${error.message}\n`);
  process.exit(EXIT.refused);
});
process.exitCode = await main(process.argv.slice(2), shell, await readVersion());
