/** What a dead process left: which steps it had stored the outcome of. */
import { cp, rm } from "node:fs/promises";
import fs from "../../../adapters/storage/fs.ts";
import type { Run } from "../../../src/index.ts";
import { openService } from "../../engine/service.ts";

/** A request by its Idempotency-Key. */
export interface RequestKey {
  readonly run: string;
  readonly step: string;
  readonly iteration: number;
}

export function parseKey(key: string): RequestKey {
  const [run = "", step = "", iteration = ""] = key.split("/");
  return { run, step, iteration: Number(iteration) };
}

/** Tells of a request, by its key, whether its outcome is stored in a folder. Looks at a copy, and calls nobody. */
export async function storedOutcomes(base: string, app: string): Promise<(key: string) => boolean> {
  const copy = `${base}.copy`;
  await cp(base, copy, { recursive: true });
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const fetch = () => held.then(() => new Response(null, { status: 400 }));
  const { stepwell, get } = await openService({ storage: { entities: fs({ base: copy }) }, fetch }, app);
  const { items } = await stepwell.runs.list(app, { take: 1_000 });
  const runs = new Map<string, Run>();
  for (const { id } of items) runs.set(id, await get(id));
  const closing = stepwell.close();
  letGo();
  await closing;
  await rm(copy, { recursive: true });
  return (key) => {
    const { run, step, iteration } = parseKey(key);
    const found = runs.get(run)?.steps.find((one) => one.key === step);
    if (found === undefined) return false;
    // The steps that repeat are none of those that are tried again: their attempts are their repetitions.
    return found.finished_at !== null || iteration <= found.attempts;
  };
}
