/** Starts a server in a separate process, for as long as a test needs it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "./build.ts";

export interface Started {
  /** Its output, both streams, by lines. */
  readonly lines: readonly string[];
  /** The line that `start` waited for. */
  readonly ready: string;
  /** Resolves when it has ended and all its output has arrived. */
  readonly ended: Promise<unknown>;
  /** @param signal SIGTERM by default. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * @param cwd Left out, the root of the repository.
 * @throws Error with what it printed when it ends before it is ready
 */
export async function start(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  isReady: (line: string) => boolean,
  cwd: string = root,
): Promise<Started> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const lines: string[] = [];
  const ready = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on("line", (line) => {
        lines.push(line);
        if (isReady(line)) resolve(line);
      });
    }
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${command.join(" ")} ended:\n${lines.join("\n")}`)));
  });
  return { lines, ready, ended, stop: (signal) => stop(child, signal) };
}

/** Resolves when all its output has arrived. */
async function stop(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  child.kill(signal);
  await ended;
}

/** The binary of a runtime that is installed as a package, or Node.js. */
export const RUNTIMES = {
  node: [process.execPath],
  bun: [`${root}/node_modules/.bin/bun`],
  deno: [`${root}/node_modules/.bin/deno`, "run", "-A", "--quiet"],
} as const;
