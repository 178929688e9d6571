/** Reads lists as they are stored, for what reads all of a list: a repair, and moving a storage. */
import { damaged } from "../../errors.ts";
import type { Row } from "../../ports/store.ts";
import { forEachParallel } from "../driver/parallel.ts";
import type { RootMeaning } from "./catalog.ts";
import { leafKey, type StoredLists } from "./stored-list.ts";
import { type Columns, NO_MARKS } from "./trees/columns.ts";
import { leafNames, type Root } from "./trees/list-root.ts";

/** The rows of a leaf of rows. */
export function rowsOf({ id, order, text, marks }: Columns): Row[] {
  return id.map((own, index) => {
    const ownOrder = order[index] ?? own;
    const ownMarks = marks[index] ?? NO_MARKS;
    return {
      id: own,
      order: ownOrder === own ? undefined : ownOrder,
      text: text[index] || undefined,
      marks: ownMarks.length === 0 ? undefined : ownMarks,
    };
  });
}

/**
 * Reads all rows of a list and checks that its indexes have the same.
 * @throws StepwellError `unavailable` if an item of the list is damaged or missing, or the driver fails
 */
export async function readAllRows(lists: StoredLists, name: string, meaning: RootMeaning): Promise<readonly Row[]> {
  const root = await lists.rootItemOf(name).read();
  if (root === null && meaning === "has rows") throw damaged(`list:${name}`, `The list "${name}"`);
  if (root === null || meaning === "is empty") return [];
  const trees = {
    rows: await readLeaves(lists, name, root.leaves),
    marks: await readLeaves(lists, name, root.marks),
    orders: await readLeaves(lists, name, root.orders),
  };
  if (!areIndexesComplete(trees)) throw damaged(`list:${name}`, `An index of the list "${name}"`);
  return trees.rows.flatMap(rowsOf);
}

/** Keys of the leaves that the root of a list names. None if the root itself is damaged or missing. */
export async function namedLeaves(lists: StoredLists, name: string, meaning: RootMeaning): Promise<readonly string[]> {
  if (meaning === "is empty") return [];
  const root = await lists
    .rootItemOf(name)
    .read()
    .catch(() => null);
  return root === null ? [] : leafNames(root).map((leaf) => leafKey(name, leaf));
}

async function readLeaves(lists: StoredLists, name: string, leaves: Root["leaves"]): Promise<readonly Columns[]> {
  const contents = new Map<string, Columns>();
  await forEachParallel(leaves, async ([leaf]) => {
    contents.set(leaf, (await lists.readLeaf(name, leaf)).content);
  });
  return leaves.flatMap(([leaf]) => contents.get(leaf) ?? []);
}

/** The contents of all leaves of a list. */
interface StoredTrees {
  readonly rows: readonly Columns[];
  readonly marks: readonly Columns[];
  readonly orders: readonly Columns[];
}

/** Whether the indexes of a list have what its rows say, and nothing else. */
function areIndexesComplete(trees: StoredTrees): boolean {
  const marks = new Set<string>();
  const orders = new Map<string, string>();
  for (const row of trees.rows.flatMap(rowsOf)) {
    for (const mark of row.marks ?? NO_MARKS) marks.add(JSON.stringify([mark, row.order ?? row.id, row.id]));
    if (row.order !== undefined) orders.set(row.id, row.order);
  }
  const hasMarks = trees.marks.every(({ mark, order, id }) =>
    mark.every((one, index) => marks.delete(JSON.stringify([one, order[index], id[index]]))),
  );
  const hasOrders = trees.orders.every(({ order, text }) =>
    order.every((id, index) => orders.get(id) === text[index] && orders.delete(id)),
  );
  return hasMarks && hasOrders && marks.size === 0 && orders.size === 0;
}
