/** Reads which outcomes a dead process had stored. */
import { cpSync, rmSync } from "node:fs";
import { basename } from "node:path";
import fs from "../../../adapters/storage/fs/fs.ts";
import { rowIds } from "../../../src/documents/documents.ts";
import { readJournal } from "../../../src/engine/state/read-journal.ts";
import type { Run } from "../../../src/index.ts";
import { ACTIVE_RUNS } from "../../../src/runs/run-rows.ts";
import { openService } from "../../support/engine/service.ts";
import { openStore } from "../../support/storage/open.ts";
import { type Outside, reaching } from "./outside.ts";

/** A request by its Idempotency-Key. */
export interface RequestKey {
  readonly run: string;
  readonly step: string;
  readonly iteration: number;
  /** The substep, such as `call.1.2`; empty for the whole step. */
  readonly part: string;
}

export function parseKey(key: string): RequestKey {
  const [run = "", step = "", iteration = "", part = ""] = key.split("/");
  // The number of the attempt follows the iteration, if it changed the key.
  return { run, step, iteration: Number.parseInt(iteration, 10), part };
}

/** Returns whether the outcome of a request is stored in a folder, by its key. Reads a copy and makes no requests. */
export async function storedOutcomes(
  { base, app }: { base: string; app: string },
  outside: Outside,
): Promise<(key: string) => boolean> {
  const copy = `${base}.copy`;
  // Without the lock of the folder: a socket cannot be copied.
  cpSync(base, copy, { recursive: true, filter: (path) => !basename(path).startsWith(".owner") });
  const { substeps, settled } = await storedParts(copy);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fetch = () => held.then(() => new Response(null, { status: 400 }));
  const { stepwell, get } = await openService(
    { storage: { entities: fs({ base: copy }) }, ...reaching(outside, fetch) },
    app,
  );
  const listed = await stepwell.runs.list(app, { take: 1_000 });
  const runs = new Map<string, Run>();
  for (const { id } of listed.items) runs.set(id, await get(id));
  const closing = stepwell.close();
  release();
  await closing;
  rmSync(copy, { recursive: true });
  return (key) => {
    const { run, step, iteration, part } = parseKey(key);
    const all = runs.get(run)?.steps ?? [];
    const index = all.findIndex((one) => one.key === step);
    const found = all[index];
    if (found === undefined) return false;

    if (part !== "") return found.finished_at !== null || substeps.has(`${run}/${iteration}.${part}`);
    return found.finished_at !== null || settled.has(`${run}/${index}.${iteration}`);
  };
}

/**
 * The stored substeps, iterations and items of runs that have not ended. No workflow here has two steps with equally named substeps.
 */
async function storedParts(base: string): Promise<Readonly<Record<"substeps" | "settled", ReadonlySet<string>>>> {
  const store = openStore(fs({ base }));
  const found = { substeps: new Set<string>(), settled: new Set<string>() };
  for await (const run of rowIds(store, ACTIVE_RUNS)) {
    const { substeps, entries } = await readJournal(store, run);
    for (const part of substeps.keys()) found.substeps.add(`${run}/${part.slice(part.indexOf(".") + 1)}`);
    const iterations = new Map<number, number>();
    for (const { index, item, outcome } of entries) {
      if (outcome.retry !== undefined) continue;
      const number = item === null ? (iterations.get(index) ?? 0) + 1 : item + 1;
      iterations.set(index, number);
      found.settled.add(`${run}/${index}.${number}`);
    }
  }
  await store.close();
  return found;
}
