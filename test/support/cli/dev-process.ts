/** `stepwell dev` of the built package as a process of its own, with a port that is free. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort } from "../free-port.ts";
import { until } from "../until.ts";

/** Built: it and its server would take seconds to load from the sources, at each start. */
const PROGRAM = fileURLToPath(new URL("../../../dist/cli/stepwell.js", import.meta.url));

interface DevEvent {
  readonly event?: string;
  readonly [field: string]: unknown;
}

/** Those of tests that failed before they stopped them. */
const running = new Set<ChildProcess>();

export async function killAll(): Promise<void> {
  for (const child of running) child.kill("SIGKILL");
}

export async function startDev(folder: string, args: readonly string[] = []) {
  const child = spawn(process.execPath, [PROGRAM, "dev", "--port", String(await freePort()), "--json", ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  const events: DevEvent[] = [];
  const errors: string[] = [];
  createInterface(child.stdout).on("line", (line) => events.push(JSON.parse(line)));
  createInterface(child.stderr).on("line", (line) => errors.push(line));
  const ended = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  let seen = 0;
  return {
    events,
    errors,
    ended,
    pid: child.pid ?? 0,
    /** The next event of a kind, after those that were waited for. */
    async next(kind: string): Promise<DevEvent> {
      const find = () => events.findIndex(({ event }, index) => index >= seen && event === kind);
      let hasEnded = false;
      void ended.then(() => {
        hasEnded = true;
      });
      await until(() => find() !== -1 || hasEnded);
      const found = events[find()];
      if (found === undefined) throw new Error(`stepwell dev ended without ${kind}:\n${errors.join("\n")}`);
      seen = find() + 1;
      return found;
    },
    /** @returns Its exit code. */
    async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
      child.kill(signal);
      return ended;
    },
  };
}
