/** A read that waits for a part of a list returns what was there when it began, whatever changes meanwhile. */
import { expect, it } from "vitest";
import type { ListQuery, RowPage } from "../../src/ports/store.ts";
import { readPage } from "../../src/storage/lists/queries/row-query.ts";
import { runReading } from "../../src/storage/lists/queries/run-reading.ts";
import { changeRow, createRowList, type RowList } from "../../src/storage/lists/trees/row-list.ts";
import { LIST, TINY_LEAVES } from "../support/storage/row-lists.ts";

const IDS = Array.from({ length: 30 }, (_, index) => `row${index + 10}`);

function filled(): RowList {
  const list = createRowList(TINY_LEAVES);
  for (const id of IDS) changeRow(list, { list: LIST, put: { id, text: id, marks: ["all", `of-${id}`] } });
  return list;
}

/** Gives up every leaf of a tree but the first ones. When it is asked for one of them, calls `meanwhile` first. */
async function readWhile(query: ListQuery, meanwhile: (list: RowList) => void): Promise<RowPage> {
  const list = filled();
  const contents = new Map(
    [...list.rows.leaves, ...list.marks.leaves].map((leaf) => {
      leaf.name = `${leaf.first.mark} ${leaf.first.key}`;
      leaf.isStored = true;
      return [leaf, leaf.content] as const;
    }),
  );
  const away = list.rows.leaves.slice(4);
  for (const leaf of away) leaf.content = null;
  return runReading(list, (view) => readPage(view, query), {
    async load(leaf) {
      meanwhile(list);
      const content = contents.get(leaf) ?? null;
      if (content === null) throw new Error("This leaf was never away.");
      return content;
    },
    pause: () => null,
  });
}

const remove = (ids: readonly string[]) => (list: RowList) => {
  for (const id of ids) changeRow(list, { list: LIST, delete: id });
};

it.each([
  ["all rows", { limit: 100 }],
  ["all rows in ascending order", { limit: 100, descending: false }],
  ["rows with a text", { limit: 100, search: "row" }],
  ["rows with two marks, without a page", { limit: 100, marks: [["all"], IDS.map((id) => `of-${id}`)] }],
] as const)("%s", async (_, query) => {
  const expected = query.limit === 100 && "descending" in query ? IDS : IDS.toReversed();
  // The leaves before those that are read vanish, so all others move.
  const { ids } = await readWhile(
    { ...query, marks: "marks" in query ? query.marks.map((group) => [...group]) : [] },
    remove(IDS.slice(0, 6)),
  );
  expect(ids).toEqual(expected);
});
