/** kill -9 during commits, several times: acknowledged documents are stored and listed, others are complete or absent. */
import { expect } from "vitest";
import type { Store } from "../../src/ports/store.ts";
import { startChild } from "./child.ts";
import { idOf } from "./creation.ts";

const ROUNDS = 6;

/**
 * @param creator A process that creates documents as `create-until-killed.ts` does. Its arguments: `place` and the round.
 * @param open Opens the store that the process used.
 */
export async function surviveKills(creator: string, place: string, open: () => Store): Promise<void> {
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const child = await startChild(creator, [place, String(round)]);
    // Each round is killed at another point, some during a checkpoint.
    const enough = 1_000 / ROUNDS + 17 * round;
    await child.line(() => child.lines.length > enough);
    await child.kill();
    acknowledged.push(...child.lines);

    const store = open();
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
}
