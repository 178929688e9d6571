/** The root of a list, which names the leaves of its trees. Pure. */
import { isRecord } from "../../../json.ts";
import type { Place } from "./columns.ts";
import { addStoredLeaf, type Leaf, type PagedTree } from "./paged-tree.ts";
import { createRowList, type LeafSizes, type RowList } from "./row-list.ts";

/** The stored root of a list. */
export interface Root {
  /** The leaves of the rows. */
  readonly leaves: readonly StoredLeaf[];
  readonly marks: readonly StoredLeaf[];
  readonly orders: readonly StoredLeaf[];
  /** Leaves of earlier roots that a crash may have left behind. */
  readonly obsolete: readonly string[];
}

/**
 * Name, number of entries, and the place where it begins: order, ID and mark. Null stands for the ID if it equals the order,
 * and for the mark of the leaf before. A root may name thousands of leaves.
 */
type StoredLeaf = readonly [name: string, count: number, order: string, id?: string | null, mark?: string | null];

export const NO_ROOT: Root = { leaves: [], marks: [], orders: [], obsolete: [] };

/** @param nameOf Returns the name of a leaf. */
export function formatRoot(list: RowList, nameOf: (leaf: Leaf) => string, obsolete: readonly string[]): Root {
  const leavesOf = (tree: PagedTree) => formatLeaves(tree, nameOf);
  return { leaves: leavesOf(list.rows), marks: leavesOf(list.marks), orders: leavesOf(list.orders), obsolete };
}

function formatLeaves({ leaves, kind }: PagedTree, nameOf: (leaf: Leaf) => string): StoredLeaf[] {
  let markBefore = "";
  return leaves.map((leaf): StoredLeaf => {
    const { mark, order, id } = leaf.first;
    const name = nameOf(leaf);
    if (kind === "orders") return [name, leaf.count, order];
    const storedId = id === order ? null : id;
    const hasMark = mark !== markBefore;
    markBefore = mark;
    return hasMark ? [name, leaf.count, order, storedId, mark] : [name, leaf.count, order, storedId];
  });
}

/** Returns a list none of whose leaves is in memory. */
export function listOfRoot(root: Root, sizes?: LeafSizes): RowList {
  const list = createRowList(sizes);
  addLeaves(list.rows, root.leaves);
  addLeaves(list.marks, root.marks);
  addLeaves(list.orders, root.orders);
  list.history.obsolete = [...root.obsolete];
  return list;
}

function addLeaves(tree: PagedTree, leaves: readonly StoredLeaf[]): void {
  let mark = "";
  for (const [name, count, order, storedId, ownMark] of leaves) {
    mark = ownMark ?? mark;
    const id = tree.kind === "orders" ? "" : (storedId ?? order);
    const first: Place = { mark, order, id };
    addStoredLeaf(tree, name, count, first);
  }
}

/** Names of all leaves of a root. */
export function leafNames(root: Root): readonly string[] {
  return [...root.leaves, ...root.marks, ...root.orders].map(([name]) => name);
}

/** The checksum proves that the value is intact. This checks that it is a root. */
export function isRoot(value: unknown): value is Root {
  return (
    isRecord(value) &&
    ["leaves", "marks", "orders"].every((name) => isLeaves(value[name])) &&
    Array.isArray(value["obsolete"])
  );
}

function isLeaves(value: unknown): boolean {
  return Array.isArray(value) && value.every((leaf) => Array.isArray(leaf) && typeof leaf[1] === "number");
}
