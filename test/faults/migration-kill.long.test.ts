/** kill -9 during a migration, which is then repeated. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import fsDriver from "../../adapters/storage/fs/fs.ts";
import { migrateStorage } from "../../src/index.ts";
import { times } from "../support/sample.ts";
import { contentsOf, createFolder, fillStorage } from "../support/storage/migrations.ts";
import { silent } from "../support/storage/open.ts";
import { startChild } from "./child.ts";

const KILLS = times(4, 6);
const PROGRAM = join(import.meta.dirname, "migrator.ts");
const { path, clean } = createFolder();
const folder = (name: string) => ({ entities: fsDriver({ base: path(name) }) });
let before: Awaited<ReturnType<typeof contentsOf>>;
beforeAll(async () => {
  await fillStorage(folder("source"));
  before = await contentsOf(folder("source"));
});
afterAll(clean);

/** Runs the program, and kills it when it has said this many lines. Returns how many it has said. */
async function migrateUntil(target: string, lines: number): Promise<number> {
  const child = await startChild(PROGRAM, [path("source"), path(target)]);
  if (lines === Number.POSITIVE_INFINITY) {
    expect(await child.gone).toEqual({ code: 0, errors: "" });
    return child.lines.length;
  }
  // One that goes on from an earlier one may end before.
  await child.line(() => child.lines.length >= lines).catch(() => undefined);
  await child.kill();
  return child.lines.length;
}

it("a migration whose process is killed again and again ends with the same contents", async () => {
  const lines = await migrateUntil("whole", Number.POSITIVE_INFINITY);
  expect(await contentsOf(folder("whole"))).toEqual(before);
  // One target is killed again and again, each time a little later.
  for (let kill = 1; kill <= KILLS; kill++) {
    const target = kill % 2 === 0 ? "killed-again" : `killed-${kill}`;
    await migrateUntil(target, Math.ceil((lines * kill) / (KILLS + 1)));
    if (kill % 2 === 0) continue;
    await migrateStorage({ from: folder("source"), to: folder(target), logger: silent });
    expect(await contentsOf(folder(target))).toEqual(before);
  }
  await migrateStorage({ from: folder("source"), to: folder("killed-again"), logger: silent });
  expect(await contentsOf(folder("killed-again"))).toEqual(before);
  expect(await contentsOf(folder("source"))).toEqual(before);
});
