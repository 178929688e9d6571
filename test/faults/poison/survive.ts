/** Starts one process after another until all runs have ended; runs or kills from outside end the processes. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startChild } from "../child.ts";
import type { NewRun, Order, Report } from "./order.ts";

const PROCESS = join(import.meta.dirname, "process.ts");
/** The number of starts after which the search for a culprit counts as endless. */
const MAX_STARTS = 60;

export interface Survival {
  readonly starts: number;
  readonly report: Report;
}

/** @param kills Milliseconds after which the first, second … process is killed from outside. */
export async function survive(create: readonly NewRun[], kills: readonly number[] = []): Promise<Survival> {
  const base = await mkdtemp(join(tmpdir(), "stepwell-poison-"));
  try {
    let order: Order = { base, create };
    for (let starts = 1; starts <= MAX_STARTS + kills.length; starts++) {
      const child = await startChild(PROCESS, [JSON.stringify(order)]);
      const printed = (word: string) => child.lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
      const kill = kills[starts - 1];
      if (kill !== undefined) {
        await child.line((line) => line.startsWith("app ")).catch(() => undefined);
        await Promise.race([pause(kill).then(child.kill), child.gone]);
      }
      const { code, errors } = await child.gone;
      assert.ok(code === 0 || code === null, `A process failed:\n${errors}`);
      const app = order.app ?? printed("app");
      assert.ok(app !== undefined, `The first process did not get far enough:\n${errors}`);
      const report = printed("report");
      if (report !== undefined) return { starts, report: JSON.parse(report) };
      order = { base, app, create: [] };
    }
    throw new Error(`The runs have not ended after ${MAX_STARTS} starts.`);
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

export const innocents = (count: number, milliseconds = 100): readonly NewRun[] =>
  Array.from({ length: count }, () => ({ kills_after: null, milliseconds }));

export const culprit = (kills_after: number): NewRun => ({ kills_after, milliseconds: 0 });

/** The number of starts within which all runs end if one culprit kills its process within a trial. */
export const boundOf = (runs: number) => 2 + Math.ceil(Math.log2(runs)) + 3 + 1;
