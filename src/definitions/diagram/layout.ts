/**
 * A layered layout: each step stands below those before it, and edges run down between the layers. Pure.
 *
 * Its cost is linear in steps and edges, apart from sorting: dagre takes a minute for 500 steps with many edges, and overflows
 * the stack with a chain of 2,000.
 */
import type { DiagramEdge } from "./outline.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** Centers of the steps. */
  readonly places: readonly Point[];
  /** For each edge, the points between the centers of its steps, from its start to its end. */
  readonly bends: readonly (readonly Point[])[];
  readonly width: number;
  readonly height: number;
}

export interface LayoutSizes {
  readonly width: number;
  readonly height: number;
  readonly gapX: number;
  readonly gapY: number;
}

/** Bends of all edges. Beyond, edges that pass several layers run straight. */
const MAX_BENDS = 20_000;
const ORDER_SWEEPS = 4;
const PLACE_SWEEPS = 6;

/** A node of the layout: a step, or a bend of an edge. */
interface Node {
  readonly layer: number;
  readonly width: number;
  readonly above: number[];
  readonly below: number[];
}

export function layoutOf(count: number, edges: readonly DiagramEdge[], sizes: LayoutSizes): Layout {
  const layers = layersOf(count, edges);
  const nodes: Node[] = layers.map((layer) => ({ layer, width: sizes.width, above: [], below: [] }));
  const chains = connectNodes(nodes, edges);
  const rows = rowsOf(nodes);
  for (let sweep = 0; sweep < ORDER_SWEEPS; sweep++) orderRows(rows, nodes, sweep % 2 === 0);
  const xs = placeRows(rows, nodes, sizes.gapX);
  const left = nodes.reduce((least, { width }, index) => Math.min(least, (xs[index] ?? 0) - width / 2), Infinity);
  const right = nodes.reduce((most, { width }, index) => Math.max(most, (xs[index] ?? 0) + width / 2), -Infinity);
  const pointOf = (index: number): Point => ({
    x: Math.round((xs[index] ?? 0) - left),
    y: Math.round((nodes[index]?.layer ?? 0) * (sizes.height + sizes.gapY) + sizes.height / 2),
  });
  return {
    places: layers.map((_, index) => pointOf(index)),
    bends: chains.map((chain) => chain.map(pointOf)),
    width: count === 0 ? 0 : Math.round(right - left),
    height: rows.length * (sizes.height + sizes.gapY) - (count === 0 ? 0 : sizes.gapY),
  };
}

/** The layer of each step: one more than the lowest step before it. Edges that close a cycle don't count. */
function layersOf(count: number, edges: readonly DiagramEdge[]): number[] {
  const outgoing: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) outgoing[from]?.push(to);
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

/** Connects nodes of neighboring layers, and adds a node where an edge passes a layer. @returns The bends of each edge */
function connectNodes(nodes: Node[], edges: readonly DiagramEdge[]): number[][] {
  let left = MAX_BENDS;
  return edges.map(({ from, to }) => {
    const isDown = (nodes[from]?.layer ?? 0) < (nodes[to]?.layer ?? 0);
    const [top, bottom] = isDown ? [from, to] : [to, from];
    const first = (nodes[top]?.layer ?? 0) + 1;
    const passed = (nodes[bottom]?.layer ?? 0) - first;
    if (passed < 0 || passed > left) return [];
    left -= passed;
    const bends = Array.from({ length: passed }, (_, index) => {
      return nodes.push({ layer: first + index, width: 0, above: [], below: [] }) - 1;
    });
    const chain = [top, ...bends, bottom];
    for (const [index, upper] of chain.entries()) {
      const lower = chain[index + 1];
      if (lower === undefined) continue;
      nodes[upper]?.below.push(lower);
      nodes[lower]?.above.push(upper);
    }
    return isDown ? bends : bends.reverse();
  });
}

function rowsOf(nodes: readonly Node[]): number[][] {
  const rows: number[][] = [];
  for (const [index, { layer }] of nodes.entries()) {
    while (rows.length <= layer) rows.push([]);
    rows[layer]?.push(index);
  }
  return rows;
}

/** Orders each row by the mean position of the neighbors in the row before, which avoids most crossings. */
function orderRows(rows: number[][], nodes: readonly Node[], isDown: boolean): void {
  const position: number[] = [];
  for (const row of rows) for (const [index, node] of row.entries()) position[node] = index / Math.max(1, row.length);
  for (const row of isDown ? rows : rows.toReversed()) {
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
  return indexes.reduce((sum, index) => sum + (values[index] ?? 0), 0) / indexes.length;
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
