/** kill -9 during commits: acknowledged documents are stored and listed, others are complete or absent. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import fs from "../../adapters/storage/fs/fs.ts";
import { openStore } from "../support/storage/open.ts";
import { startChild } from "./child.ts";
import { idOf } from "./creation.ts";

const ROUNDS = 6;

describe("a store whose process is killed during a thousand commits", () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "stepwell-kill-"));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it("loses no acknowledged commit and shows no partial one, over six rounds", async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const child = await startChild(join(import.meta.dirname, "creator.ts"), [base, String(round)]);
      // Each round is killed at another point, some during a checkpoint.
      const enough = 1_000 / ROUNDS + 17 * round;
      await child.line(() => child.lines.length > enough);
      await child.kill();
      acknowledged.push(...child.lines);

      const store = openStore(fs({ base }));
      const { ids, total } = await store.list("things", { limit: 100_000 });
      expect(total).toBe(ids.length);
      expect(new Set(ids).size).toBe(ids.length);
      const listed = new Set(ids);
      expect(acknowledged.filter((id) => !listed.has(id))).toEqual([]);
      const found = await store.getMany<{ id: string }>(ids.map((id) => `thing:${id}` as const));
      expect(found.map((stored) => stored?.document.id)).toEqual(ids);
      // Commits that were pending when it was killed: both documents and the row are there, or none of them.
      const begun = Array.from({ length: child.lines.length + 10 }, (_, n) => idOf(round, n));
      const others = await store.getMany(begun.map((id) => `other:${id}` as const));
      expect(begun.filter((id, n) => others[n] !== null && !listed.has(id))).toEqual([]);
      const things = await store.getMany(begun.map((id) => `thing:${id}` as const));
      expect(begun.filter((id, n) => things[n] !== null && !listed.has(id))).toEqual([]);
      await store.close();
    }
    expect(acknowledged.length).toBeGreaterThan(1_000);
  });
});
