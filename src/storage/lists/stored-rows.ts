/** Reads lists as they are stored, for what reads all of a list: a repair, and moving a storage. */
import { damaged } from "../../errors.ts";
import type { Row } from "../../ports/store.ts";
import { forEachParallel } from "../driver/parallel.ts";
import type { RootMeaning } from "./catalog.ts";
import { hasOwnOrder, positionOf } from "./row-key.ts";
import { leafKey, type StoredLists } from "./stored-list.ts";
import { type Columns, markAt, marksAt, textAt } from "./trees/columns.ts";
import { leafNames, type Root } from "./trees/list-root.ts";

/** The rows of a leaf of rows. */
export function rowsOf(columns: Columns): Row[] {
  return columns.key.map((key, index) => {
    const { order, id } = positionOf(key);
    const marks = marksAt(columns, index);
    return {
      id,
      order: order === id ? undefined : order,
      text: textAt(columns, index) || undefined,
      marks: marks.length === 0 ? undefined : marks,
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
    contents.set(leaf, await lists.readLeaf(name, leaf));
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
  const orders = new Set<string>();
  for (const columns of trees.rows) {
    for (const [index, key] of columns.key.entries()) {
      for (const mark of marksAt(columns, index)) marks.add(JSON.stringify([mark, key]));
      if (hasOwnOrder(key)) orders.add(key);
    }
  }
  const hasMarks = trees.marks.every((columns) =>
    columns.key.every((key, index) => marks.delete(JSON.stringify([markAt(columns, index), key]))),
  );
  const hasOrders = trees.orders.every(({ key }) => key.every((own) => orders.delete(own)));
  return hasMarks && hasOrders && marks.size === 0 && orders.size === 0;
}
