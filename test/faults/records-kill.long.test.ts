/** kill -9 during creations and deletions of records: the count is that of the records. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import fs from "../../adapters/storage/fs/fs.ts";
import { createStepwell, repairStorage, type Stepwell } from "../../src/index.ts";
import { silent } from "../support/storage/open.ts";
import { startChild } from "./child.ts";

/** Writes of a process, all at once: 10,000 with `npm run fault-matrix -- test/faults/records-kill.long.test.ts`. */
const WRITES = process.env["FAULT_MATRIX"] === undefined ? 600 : 10_000;
/** Acknowledged writes after which each process is killed; the last one is not. */
const KILLED_AFTER = [10, WRITES / 2, Number.POSITIVE_INFINITY];

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "stepwell-records-"));
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function using<T>(act: (stepwell: Stepwell) => Promise<T>): Promise<T> {
  const stepwell = createStepwell({ storage: { entities: fs({ base }) }, logger: silent });
  const result = await act(stepwell);
  await stepwell.close();
  return result;
}

it("records_count is right after many creations and deletions at once, also when the process is killed meanwhile", async () => {
  const { app, collection } = await using(async ({ apps, collections }) => {
    const { id } = await apps.create({ name: "Tests" });
    return { app: id, collection: (await collections.create(id, { name: "Loans" })).id };
  });
  const kept = new Set<string>();
  for (const enough of KILLED_AFTER) {
    const child = await startChild(join(import.meta.dirname, "record-writer.ts"), [
      base,
      app,
      collection,
      String(WRITES),
    ]);
    const idsAfter = (word: string) =>
      child.lines.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []));
    const acknowledged = () => child.lines.filter((line) => /^[+-]/.test(line)).length;
    if (enough === Number.POSITIVE_INFINITY) await child.gone;
    else {
      await child.line(() => acknowledged() >= enough);
      await child.kill();
    }
    for (const id of idsAfter("+")) kept.add(id);
    for (const id of idsAfter("-")) kept.delete(id);
    const begun = new Set(idsAfter("begins"));

    const listed = await using(async ({ collections, records }) => {
      const { records_count } = await collections.get(app, collection);
      const ids: string[] = [];
      for (let page_token: string | undefined; ; ) {
        const page = await records.list(app, collection, { take: 1_000, ...(page_token && { page_token }) });
        expect(page.total).toBe(records_count);
        ids.push(...page.items.map(({ id }) => id));
        page_token = page.next_page_token;
        if (page_token === undefined) break;
      }
      expect(ids).toHaveLength(records_count);
      if (enough === Number.POSITIVE_INFINITY) expect(idsAfter("count")).toEqual([String(records_count)]);
      return new Set(ids);
    });
    // What was acknowledged is stored. A deletion that had begun may have happened.
    expect([...kept].filter((id) => !listed.has(id) && !begun.has(id))).toEqual([]);
    expect(idsAfter("-").filter((id) => listed.has(id))).toEqual([]);
    kept.clear();
    for (const id of listed) kept.add(id);
  }
  const { checked: _, ...wrong } = await repairStorage({ driver: fs({ base }), logger: silent, isDryRun: true });
  expect(wrong).toEqual({ damaged: [], rebuilt: [], lost: [], orphaned: [], shared: [], losses: [] });
});
