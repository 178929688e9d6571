/**
 * A layered layout: each step stands below those before it, and edges run down between the layers. Pure.
 *
 * Its cost is linear in steps and edges, apart from sorting: dagre takes a minute for 500 steps with many edges, and overflows
 * the stack with a chain of 2,000.
 */

/** Where an edge passes a layer, or where its label stands. */
export interface Bend {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  readonly isLabel: boolean;
}

/** The center of a step. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface LayoutEdge {
  readonly from: number;
  /** null: it leads nowhere yet, and has only a label. */
  readonly to: number | null;
  /** Width of its label; 0 for none. */
  readonly labelWidth: number;
}

export interface Layout {
  readonly places: readonly Place[];
  /** For each edge, its bends from its start to its end. */
  readonly bends: readonly (readonly Bend[])[];
  readonly width: number;
  readonly height: number;
}

export interface LayoutSizes {
  /** Width and height of a step. */
  readonly width: number;
  readonly height: number;
  readonly labelHeight: number;
  /** Distances between steps of a layer, and between layers. */
  readonly gapX: number;
  readonly gapY: number;
}

/** Bends of all edges. Beyond, edges that pass several layers run straight. */
const MAX_BENDS = 6_000;
const ORDER_SWEEPS = 4;
const PLACE_SWEEPS = 6;

/** A node of the layout: a step, or a bend of an edge. */
interface Node {
  /** Steps stand in even rows, labels in the rows between them. */
  readonly row: number;
  readonly width: number;
  readonly above: number[];
  readonly below: number[];
}

export function layoutOf(count: number, edges: readonly LayoutEdge[], sizes: LayoutSizes): Layout {
  const layers = layersOf(count, edges);
  const nodes: Node[] = layers.map((layer) => ({ row: 2 * layer, width: sizes.width, above: [], below: [] }));
  const chains = connectNodes(nodes, edges);
  const rows = rowsOf(nodes);
  for (let sweep = 0; sweep < ORDER_SWEEPS; sweep++) orderRows(rows, nodes, sweep % 2 === 0);
  const xs = placeRows(rows, nodes, sizes.gapX);
  const spans = rowSpans(rows, sizes);
  const left = nodes.reduce((least, { width }, index) => Math.min(least, (xs[index] ?? 0) - width / 2), Infinity);
  const right = nodes.reduce((most, { width }, index) => Math.max(most, (xs[index] ?? 0) + width / 2), -Infinity);
  const bendOf = (index: number): Bend => ({
    x: Math.round((xs[index] ?? 0) - left),
    ...(spans[nodes[index]?.row ?? 0] ?? { top: 0, bottom: 0 }),
    isLabel: (nodes[index]?.width ?? 0) > 0,
  });
  const centers = layers.map((_, index) => bendOf(index));
  return {
    places: centers.map(({ x, top, bottom }) => ({ x, y: (top + bottom) / 2 })),
    bends: chains.map((chain) => chain.map(bendOf)),
    width: count === 0 ? 0 : Math.round(right - left),
    height: spans.at(-1)?.bottom ?? 0,
  };
}

/** The top and the bottom of each row. A row without labels between two rows of steps is empty. */
function rowSpans(rows: readonly (readonly number[])[], { height, labelHeight, gapY }: LayoutSizes) {
  let y = 0;
  return rows.map((row, index) => {
    const top = y;
    const isLabels = index % 2 === 1;
    const bottom = top + (isLabels ? (row.length === 0 ? 0 : labelHeight) : height);
    y = bottom + gapY / 2;
    return { top, bottom };
  });
}

/** The layer of each step: one more than the lowest step before it. Edges that close a cycle don't count. */
function layersOf(count: number, edges: readonly LayoutEdge[]): number[] {
  const outgoing: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) if (to !== null) outgoing[from]?.push(to);
  const order = acyclicOrder(outgoing);
  const rank = new Map(order.map((step, index) => [step, index]));
  const layers: number[] = Array.from({ length: count }, () => 0);
  for (const from of order) {
    for (const to of outgoing[from] ?? []) {
      if ((rank.get(to) ?? 0) <= (rank.get(from) ?? 0)) continue;
      layers[to] = Math.max(layers[to] ?? 0, (layers[from] ?? 0) + 1);
    }
  }
  return layers;
}

/** The steps so that every edge leads forward, except those that close a cycle. Depth first, without recursion. */
function acyclicOrder(outgoing: readonly (readonly number[])[]): number[] {
  const finished: number[] = [];
  const seen = new Set<number>();
  const hasEdgeIn = new Set(outgoing.flat());
  const roots = [...outgoing.keys()].sort((one, other) => Number(hasEdgeIn.has(one)) - Number(hasEdgeIn.has(other)));
  for (const root of roots) {
    if (seen.has(root)) continue;
    seen.add(root);
    const open = [{ step: root, next: 0 }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const to = outgoing[top.step]?.[top.next++];
      if (to === undefined) {
        finished.push(top.step);
        open.pop();
      } else if (!seen.has(to)) {
        seen.add(to);
        open.push({ step: to, next: 0 });
      }
    }
  }
  return finished.reverse();
}

/**
 * Connects the nodes of each edge from row to row, and adds nodes for its label and where it passes others.
 * @returns The bends of each edge
 */
function connectNodes(nodes: Node[], edges: readonly LayoutEdge[]): number[][] {
  const rowOf = (step: number) => nodes[step]?.row ?? 0;
  const labeled = new Set(edges.filter(({ labelWidth }) => labelWidth > 0).map(({ from }) => rowOf(from) + 1));
  let left = MAX_BENDS;
  return edges.map(({ from, to, labelWidth }) => {
    const first = rowOf(from) + 1;
    const end = to === null ? first + 1 : rowOf(to);
    const passed: number[] = [];
    for (let row = first; row < end && passed.length <= left; row++) {
      if (row % 2 === 0 || labeled.has(row)) passed.push(row);
    }
    if (passed.length > left || end <= rowOf(from)) return [];
    left -= passed.length;
    const bends = passed.map((row) => {
      return nodes.push({ row, width: row === first ? labelWidth : 0, above: [], below: [] }) - 1;
    });
    const chain = to === null ? [from, ...bends] : [from, ...bends, to];
    for (const [index, upper] of chain.entries()) {
      const lower = chain[index + 1];
      if (lower === undefined) continue;
      nodes[upper]?.below.push(lower);
      nodes[lower]?.above.push(upper);
    }
    return bends;
  });
}

function rowsOf(nodes: readonly Node[]): number[][] {
  const rows: number[][] = [];
  for (const [index, { row }] of nodes.entries()) {
    while (rows.length <= row) rows.push([]);
    rows[row]?.push(index);
  }
  return rows;
}

/** Orders each row by the mean position of the neighbors in the row before, which avoids most crossings. */
function orderRows(rows: number[][], nodes: readonly Node[], isDown: boolean): void {
  const position: number[] = [];
  for (const row of rows) for (const [index, node] of row.entries()) position[node] = index / Math.max(1, row.length);
  for (const row of isDown ? rows : rows.toReversed()) {
    if (row.length < 2) continue; // most rows of long chains
    const wanted = new Map(
      row.map((node) => [node, meanOf(neighbors(nodes[node], isDown), position, position[node] ?? 0)]),
    );
    row.sort((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0));
    for (const [index, node] of row.entries()) position[node] = index / Math.max(1, row.length);
  }
}

const neighbors = (node: Node | undefined, isDown: boolean): readonly number[] =>
  (isDown ? node?.above : node?.below) ?? [];

function meanOf(indexes: readonly number[], values: readonly number[], otherwise: number): number {
  if (indexes.length === 0) return otherwise;
  let sum = 0;
  for (const index of indexes) sum += values[index] ?? 0;
  return sum / indexes.length;
}

/** The x of each node: as close to the mean of its neighbors as the distances within its row allow. */
function placeRows(rows: readonly (readonly number[])[], nodes: readonly Node[], gap: number): number[] {
  const xs: number[] = [];
  const offsets = rows.map((row) => offsetsOf(row, nodes, gap));
  for (const [layer, row] of rows.entries()) {
    const middle = (offsets[layer]?.at(-1) ?? 0) / 2;
    for (const [index, node] of row.entries()) xs[node] = (offsets[layer]?.[index] ?? 0) - middle;
  }
  for (let sweep = 0; sweep < PLACE_SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    const layers = [...rows.keys()];
    for (const layer of isDown ? layers : layers.reverse()) {
      const row = rows[layer] ?? [];
      const [single] = row;
      if (single !== undefined && row.length === 1) {
        xs[single] = meanOf(neighbors(nodes[single], isDown), xs, xs[single] ?? 0);
        continue;
      }
      const wanted = row.map((node) => meanOf(neighbors(nodes[node], isDown), xs, xs[node] ?? 0));
      for (const [index, x] of spread(wanted, offsets[layer] ?? []).entries()) {
        const node = row[index];
        if (node !== undefined) xs[node] = x;
      }
    }
  }
  return xs;
}

/** The least distance of each node of a row from the first. */
function offsetsOf(row: readonly number[], nodes: readonly Node[], gap: number): number[] {
  let x = 0;
  return row.map((node, index) => {
    if (index > 0) x += ((nodes[row[index - 1] ?? 0]?.width ?? 0) + (nodes[node]?.width ?? 0)) / 2 + gap;
    return x;
  });
}

/** The places closest to the wanted ones that keep the order and the distances: isotonic regression, by pooling. */
function spread(wanted: readonly number[], offsets: readonly number[]): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const [index, x] of wanted.entries()) {
    let pool = { sum: x - (offsets[index] ?? 0), count: 1 };
    for (
      let last = pools.at(-1);
      last !== undefined && last.sum / last.count > pool.sum / pool.count;
      last = pools.at(-1)
    ) {
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
      pools.pop();
    }
    pools.push(pool);
  }
  const means = pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
  return means.map((mean, index) => mean + (offsets[index] ?? 0));
}
