/** The rows of the outline: the tree as a list, with what a screen reader says of each. Pure. */
import type { StepNode, WayNode } from "../draft/outline-tree.ts";
import { wayId } from "../draft/ways.ts";

interface Place {
  /** Unique in the tree. */
  readonly id: string;
  readonly level: number;
  /** From 1, among the rows with the same parent. */
  readonly position: number;
  readonly setSize: number;
  readonly parent: string | null;
  /** Whether there are rows below it. */
  readonly hasChildren: boolean;
}

export type StepRow = Place & { readonly kind: "step"; readonly node: StepNode };
export type WayRow = Place & {
  readonly kind: "way";
  readonly node: WayNode;
  /** Steps that it leads to, but that stand elsewhere because others lead to them too. */
  readonly elsewhere: readonly string[];
};
export type Row = StepRow | WayRow;

/** @param closed Ids of rows whose children are hidden. */
export function rowsOf(roots: readonly StepNode[], closed: ReadonlySet<string>): readonly Row[] {
  const rows: Row[] = [];
  addSteps(roots, 1, null);
  return rows;

  function addSteps(steps: readonly StepNode[], level: number, parent: string | null): void {
    for (const [index, node] of steps.entries()) {
      const id = stepRowId(node);
      const place = { level, position: index + 1, setSize: steps.length, parent };
      rows.push({ kind: "step", id, node, ...place, hasChildren: node.ways.length > 0 });
      if (closed.has(id)) continue;
      for (const [at, way] of node.ways.entries()) addWay(way, at, node.ways.length, level + 1, id);
    }
  }

  function addWay(node: WayNode, at: number, setSize: number, level: number, parent: string): void {
    const id = `${parent} ${node.way === null ? "connected" : `${wayId(node.way)} ${at}`}`;
    const inside = new Set(node.steps.map(({ key }) => key));
    const elsewhere = node.to.filter((key) => !inside.has(key));
    const place = { level, position: at + 1, setSize, parent };
    rows.push({ kind: "way", id, node, elsewhere, ...place, hasChildren: node.steps.length > 0 });
    if (!closed.has(id)) addSteps(node.steps, level + 1, id);
  }
}

const stepRowId = ({ index }: Pick<StepNode, "index">): string => `step ${index}`;

/** The row that a key leads to, and whether it opens or closes the row itself (ARIA Authoring Practices, tree view). */
export function rowTowards(
  rows: readonly Row[],
  closed: ReadonlySet<string>,
  from: string,
  key: string,
): { readonly to?: string; readonly toggle?: string } {
  const at = rows.findIndex(({ id }) => id === from);
  const row = rows[at];
  if (row === undefined) return {};
  const go = (to: Row | undefined) => (to === undefined ? {} : { to: to.id });
  switch (key) {
    case "ArrowDown":
      return go(rows[at + 1]);
    case "ArrowUp":
      return go(rows[at - 1]);
    case "Home":
      return go(rows[0]);
    case "End":
      return go(rows.at(-1));
    case "ArrowRight":
      if (!row.hasChildren) return {};
      return closed.has(row.id) ? { toggle: row.id } : go(rows[at + 1]);
    case "ArrowLeft":
      if (row.hasChildren && !closed.has(row.id)) return { toggle: row.id };
      return go(rows.find(({ id }) => id === row.parent));
    default:
      return {};
  }
}

/**
 * The row that takes the focus of a way that was removed: the one in its place, else the one that it stood below.
 * @returns undefined if none was
 */
export function rowAfterRemoval(
  before: readonly Row[],
  rows: readonly Row[],
  focused: string | null,
): string | undefined {
  if (focused === null || rows.some(({ id }) => id === focused)) return undefined;
  const at = before.findIndex(({ id }) => id === focused);
  const gone = before[at];
  // Where a step was removed, the editor says which one has the focus.
  if (gone?.kind !== "way") return undefined;
  const next = rows[Math.min(at, rows.length - 1)];
  if (next?.parent === gone.parent) return next.id;
  return rows.find(({ id }) => id === gone.parent)?.id ?? next?.id;
}
