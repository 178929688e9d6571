/** The root of a list, which names the leaves of its trees. Pure. */
import { isRecord } from "../../../json.ts";
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
 * Name, number of entries, and the place where it begins: key and mark, unless it is that of the leaf before. A root may name
 * thousands of leaves.
 */
type StoredLeaf = readonly [name: string, count: number, key: string, mark?: string];

export const NO_ROOT: Root = { leaves: [], marks: [], orders: [], obsolete: [] };

/** @param nameOf Returns the name of a leaf. */
export function formatRoot(list: RowList, nameOf: (leaf: Leaf) => string, obsolete: readonly string[]): Root {
  const leavesOf = (tree: PagedTree) => formatLeaves(tree, nameOf);
  return { leaves: leavesOf(list.rows), marks: leavesOf(list.marks), orders: leavesOf(list.orders), obsolete };
}

function formatLeaves({ leaves }: PagedTree, nameOf: (leaf: Leaf) => string): StoredLeaf[] {
  let markBefore = "";
  return leaves.map((leaf): StoredLeaf => {
    const { mark, key } = leaf.first;
    const name = nameOf(leaf);
    const hasMark = mark !== markBefore;
    markBefore = mark;
    return hasMark ? [name, leaf.count, key, mark] : [name, leaf.count, key];
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
  for (const [name, count, key, ownMark] of leaves) {
    mark = ownMark ?? mark;
    addStoredLeaf(tree, name, count, { mark, key });
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
