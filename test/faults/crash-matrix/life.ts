/** The life of one process of the matrix, to the end of its work or to its death. */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { startChild } from "../child.ts";
import type { WriteDeath } from "./mortal-driver.ts";

/** At a write, or so many milliseconds after the process has opened the folder. */
export type Death = WriteDeath | { readonly after: number };

export interface Life<Report> {
  /** Null when it was killed. */
  readonly report: Report | null;
  /** What it said it had created. */
  readonly created: readonly string[];
  /** Steps that it said had ended, as run/step. */
  readonly ended: readonly string[];
  /** Milliseconds of work. */
  readonly took: number;
}

/** Milliseconds after which a process counts as hanging. */
const PATIENCE = 60_000;

/**
 * @param file Of the process.
 * @param order What it is told, beside the write at which it dies.
 */
export async function live<Report>(file: string, order: object, death: Death | null): Promise<Life<Report>> {
  const atWrite = death !== null && "write" in death ? death : null;
  const child = await startChild(file, [JSON.stringify({ ...order, death: atWrite })]);
  let hung = false;
  const patience = setTimeout(() => {
    hung = true;
    void child.kill();
  }, PATIENCE);
  // One that dies early never gets that far.
  await child.line((line) => line === "ready").catch(() => undefined);
  const begun = performance.now();
  if (death !== null && "after" in death) await Promise.race([pause(death.after).then(child.kill), child.gone]);
  const { code, errors } = await child.gone;
  clearTimeout(patience);
  assert.ok(!hung, "A process did not come to the end of its work.");
  assert.ok(code === 0 || (code === null && death !== null), `A process failed:\n${errors}`);
  const told = (word: string) =>
    child.lines.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []));
  const [report] = told("report");
  return {
    report: report === undefined ? null : JSON.parse(report),
    created: told("created"),
    ended: told("ended"),
    took: performance.now() - begun,
  };
}
