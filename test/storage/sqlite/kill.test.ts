/** kill -9 during commits to a SQLite store. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { surviveKills } from "../../faults/kill-rounds.ts";
import { createStoreFile } from "./open.ts";

it("a store whose process is killed six times loses no acknowledged commit and shows no partial one", async () => {
  const { file, open, look, clean } = createStoreFile();
  await surviveKills(join(import.meta.dirname, "creator.ts"), file, open);
  const database = await look();
  expect(database.prepare("PRAGMA integrity_check").all()).toMatchObject([{ integrity_check: "ok" }]);
  // The index of texts agrees with the rows.
  const texts = "SELECT count(*) AS n FROM entry WHERE text IS NOT NULL";
  const found = 'SELECT count(*) AS n FROM search WHERE search MATCH \'text : "id0" OR text : "id1" OR text : "id2"\'';
  const others = "SELECT count(*) AS n FROM entry WHERE text NOT GLOB 'id[012]*'";
  const count = (sql: string) => Number(database.prepare(sql).get()?.["n"]);
  expect(count(found) + count(others)).toBe(count(texts));
  database.close();
  await clean();
});
