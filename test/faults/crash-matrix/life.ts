/** Runs one process of the matrix until it finishes its work or dies. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { startChild } from "../child.ts";
import type { WriteDeath } from "./mortal-driver.ts";

/** A death at a write, or some milliseconds after the process opened the folder. */
export type Death = WriteDeath | { readonly after: number };

export interface Life<Report> {
  /** Null if the process was killed. */
  readonly report: Report | null;
  /** The ids of created runs that it printed. */
  readonly created: readonly string[];
  /** Ended steps that it printed, as run/step. */
  readonly ended: readonly string[];
  /** Milliseconds of work. */
  readonly took: number;
}

/** The time after which a process counts as hanging, also on a busy machine. */
const TIMEOUT_MS = 300_000;

/**
 * @param file The program of the process.
 * @param order Its input, without the write at which it dies.
 */
export async function live<Report>(file: string, order: object, death: Death | null): Promise<Life<Report>> {
  const atWrite = death !== null && "write" in death ? death : null;
  const child = await startChild(file, [JSON.stringify({ ...order, death: atWrite })]);
  let hung = false;
  const timeout = setTimeout(() => {
    hung = true;
    void child.kill();
  }, TIMEOUT_MS);
  // A process that dies early never prints this line.
  await child.line((line) => line === "ready").catch(() => undefined);
  const begun = performance.now();
  if (death !== null && "after" in death) await Promise.race([pause(death.after).then(child.kill), child.gone]);
  const { code, errors } = await child.gone;
  clearTimeout(timeout);
  assert.ok(!hung, "A process did not finish its work in time.");
  assert.ok(code === 0 || (code === null && death !== null), `A process failed:\n${errors}`);
  const printed = (word: string) =>
    child.lines.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []));
  const [report] = printed("report");
  return {
    report: report === undefined ? null : JSON.parse(report),
    created: printed("created"),
    ended: printed("ended"),
    took: performance.now() - begun,
  };
}
