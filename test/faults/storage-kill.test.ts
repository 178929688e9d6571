/** kill -9 in the midst of creating: what was acknowledged is there and listed, the rest is not half there. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import fs from "../../adapters/storage/fs.ts";
import { openStore } from "../storage/open.ts";
import { startChild } from "./child.ts";

const ROUNDS = 6;

describe("a process killed in the midst of a thousand creates", () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "stepwell-kill-"));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it("loses nothing acknowledged and shows nothing half-made, round after round", async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const child = await startChild(join(import.meta.dirname, "creator.ts"), [base, String(round)]);
      let lines = 0;
      // Each round is cut at another place, some within a checkpoint.
      const enough = 1_000 / ROUNDS + 17 * round;
      await child.line(() => lines++ > enough);
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
      await store.close();
    }
    expect(acknowledged.length).toBeGreaterThan(1_000);
  });
});
