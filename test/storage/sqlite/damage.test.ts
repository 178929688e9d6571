/** What a SQLite store does with documents that were changed without it, and with many lists in one transaction. */
import { expect, it } from "vitest";
import { createStoreFile } from "./open.ts";

it.each([
  ["a digit of a document", "UPDATE document SET json = replace(json, '1042', '9042')"],
  ["its version", "UPDATE document SET version = 7"],
  ["its text, which is no JSON anymore", "UPDATE document SET json = substr(json, 2)"],
])("detects a change of %s", async (_, change) => {
  const { open, look, clean } = createStoreFile();
  const store = open();
  await store.commit([
    { key: "thing:one", document: { amount: 1042 }, rows: [{ list: "things", put: { id: "one" } }] },
    { key: "thing:two", document: { amount: 1 } },
  ]);
  await store.close();
  const database = await look();
  database.exec(`${change} WHERE key = 'thing:one'`);
  database.close();
  const again = open();
  const error = { code: "unavailable", message: expect.stringMatching(/thing:one/) };
  await expect(again.get("thing:one")).rejects.toMatchObject(error);
  await expect(again.getText("thing:one", 1)).rejects.toMatchObject(error);
  await expect(again.listDocuments("things", { limit: 1 }, (id) => `thing:${id}`)).rejects.toMatchObject(error);
  expect(await again.get("thing:two")).toMatchObject({ document: { amount: 1 } });
  await again.close();
  await clean();
});

it("counts the rows of more lists than it keeps in memory, also in one transaction", async () => {
  const { open, clean } = createStoreFile();
  const store = open();
  const LISTS = 1_500;
  const add = (id: string) =>
    store.commit(
      Array.from({ length: LISTS }, (_, n) => ({
        key: `thing:${id}.${n}` as const,
        document: {},
        rows: [{ list: `list.${n}`, put: { id, marks: ["m"] } }],
      })),
    );
  await Promise.all([add("a"), add("b"), add("c")]);
  for (let n = 0; n < LISTS; n += 100) {
    expect(await store.list(`list.${n}`, { limit: 5 })).toMatchObject({ ids: ["c", "b", "a"], total: 3 });
    expect(await store.list(`list.${n}`, { limit: 0, marks: [["m"]] })).toMatchObject({ total: 3 });
  }
  await store.close();
  const again = open();
  expect(await again.list("list.0", { limit: 5 })).toMatchObject({ total: 3 });
  await again.close();
  await clean();
});
