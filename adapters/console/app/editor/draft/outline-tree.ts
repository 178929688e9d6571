/**
 * The steps as a tree, in the order of a run: what only one way leads to stands below that way; where ways meet again, the
 * tree goes on at the level of the branch. Pure.
 */
import { declaredGraph, type Edge, graphFrom, inputSteps } from "../../../../../src/workflows/graph.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import type { Definition } from "../../../../../src/workflows/version.ts";
import { conditionsOf, isSameWay, NEXT, type Way, waysOf } from "./ways.ts";

/** A step of the tree. */
export interface StepNode {
  readonly kind: "step";
  readonly index: number;
  readonly key: string;
  /** Its ways that lead to other places than the next step, with what only they lead to. */
  readonly ways: readonly WayNode[];
  /** The steps that it leads to without a condition. */
  readonly next: readonly string[];
}

/** A way from a step, with the steps below it. */
export interface WayNode {
  readonly kind: "way";
  readonly from: string;
  /** Null for the connection of the first input step with the steps that have `input_connected`. */
  readonly way: Way | null;
  /** The expression of a condition, or of a catch route. */
  readonly condition: string | undefined;
  /** Where it leads to. */
  readonly to: readonly string[];
  readonly steps: readonly StepNode[];
}

interface Link {
  readonly to: number;
  /** The way that it belongs to; undefined for the only next step, which stands at the same level. */
  readonly way: number | undefined;
}

/** What the tree is made from: for each step its ways, and its links by them. */
interface Network {
  readonly ways: readonly { readonly from: number; readonly node: Omit<WayNode, "steps"> }[];
  readonly links: readonly (readonly Link[])[];
}

export function outlineTree(definition: Pick<Definition, "steps">): readonly StepNode[] {
  const { steps } = definition;
  const network = networkOf(steps);
  const order = orderOf(network.links);
  const parents = parentsOf(network, order);
  const wayNodes = network.ways.map(({ node }) => ({ ...node, steps: [] as StepNode[] }));
  const waysFrom = steps.map((): (typeof wayNodes)[number][] => []);
  for (const [way, node] of wayNodes.entries()) waysFrom[network.ways[way]?.from ?? -1]?.push(node);
  const roots: StepNode[] = [];
  for (const index of order) {
    const step = steps[index];
    if (step === undefined) continue;
    const links = network.links[index] ?? [];
    const node: StepNode = {
      kind: "step",
      index,
      key: step.key,
      ways: waysFrom[index] ?? [],
      next: links.filter(({ way }) => way === undefined).map(({ to }) => steps[to]?.key ?? ""),
    };
    const parent = parents.get(index);
    (parent === undefined ? roots : (wayNodes[parent]?.steps ?? roots)).push(node);
  }
  return roots;
}

function networkOf(steps: readonly Step[]): Network {
  const declared = declaredGraph(steps);
  const [first] = inputSteps(steps);
  const graph = graphFrom(declared, first);
  const ways: { from: number; node: Omit<WayNode, "steps"> }[] = [];
  const links = steps.map((step, from) => {
    const edges = graph.outgoing[from] ?? [];
    const own = declared.outgoing[from] ?? [];
    const connected = edges.slice(own.length);
    const always = own.filter((edge) => isSameWay(wayOfEdge(edge), NEXT));
    const isInline = always.length === 1 && (step.type !== "branch" || own.length === 1);
    const found: Link[] = [];
    for (const way of waysOf(step)) {
      const led = own.filter((edge) => isSameWay(wayOfEdge(edge), way));
      if (way.kind === "next" && (isInline || led.length === 0)) {
        for (const { to } of led) found.push({ to, way: undefined });
        continue;
      }
      if (way.kind === "next") for (const edge of led) found.push(addWay(step, from, way, [edge]));
      else for (const link of addWays(step, from, way, led)) found.push(link);
    }
    if (!waysOf(step).includes(NEXT)) for (const { to } of always) found.push({ to, way: undefined });
    if (connected.length > 0) for (const link of addWays(step, from, null, connected)) found.push(link);
    return found;
  });
  return { ways, links };

  function addWay(step: Step, from: number, way: Way | null, edges: readonly Edge[]): Link {
    const [link = { to: -1, way: undefined }] = addWays(step, from, way, edges);
    return link;
  }

  function addWays(step: Step, from: number, way: Way | null, edges: readonly Edge[]): Link[] {
    const to = edges.map((edge) => steps[edge.to]?.key ?? "");
    ways.push({ from, node: { kind: "way", from: step.key, way, condition: conditionOf(step, way), to } });
    return edges.map((edge) => ({ to: edge.to, way: ways.length - 1 }));
  }
}

function wayOfEdge({ via, route }: Edge): Way {
  if (route !== undefined) return { kind: "catch", route };
  if (via === undefined) return NEXT;
  return via === null ? { kind: "else" } : { kind: "condition", name: via };
}

function conditionOf(step: Step, way: Way | null): string | undefined {
  if (way?.kind === "condition" && step.type === "branch") {
    return conditionsOf(step).find(([name]) => name === way.name)?.[1].condition;
  }
  return way?.kind === "catch" && step.type !== "note" ? step.on_error?.[way.route]?.condition : undefined;
}

/** The steps so that each stands after those that lead to it, and what a way leads to stands together. */
function orderOf(links: readonly (readonly Link[])[]): readonly number[] {
  const seen = new Set<number>();
  const led = new Set(links.flatMap((own) => own.map(({ to }) => to)));
  const all = [...links.keys()];
  const fromRoots = orderFrom(all.filter((index) => !led.has(index)));
  return [...fromRoots, ...orderFrom(all)]; // what is left are steps in circles

  /** Reversed twice, because a step is finished after those that it leads to. */
  function orderFrom(roots: readonly number[]): number[] {
    const finished: number[] = [];
    for (const root of roots.toReversed()) visit(root, finished);
    return finished.reverse();
  }

  /** Depth first, without recursion: a chain may have 2,000 steps. */
  function visit(root: number, finished: number[]): void {
    if (seen.has(root)) return;
    seen.add(root);
    const open = [{ step: root, next: (links[root]?.length ?? 0) - 1 }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const to = links[top.step]?.[top.next--]?.to;
      if (to === undefined) {
        finished.push(top.step);
        open.pop();
      } else if (!seen.has(to)) {
        seen.add(to);
        open.push({ step: to, next: (links[to]?.length ?? 0) - 1 });
      }
    }
  }
}

/** For each step, the innermost way that every path to it takes; none for those at the highest level. */
function parentsOf({ ways, links }: Network, order: readonly number[]): ReadonlyMap<number, number> {
  const rank = new Map(order.map((index, at) => [index, at]));
  const incoming = new Map<number, (number | undefined)[]>();
  const parents = new Map<number, number>();
  /** Depths of ways, which are asked for again and again where many ways lead to a step. */
  const depths = new Map<number, number>();
  const outerOf = (way: number) => parents.get(ways[way]?.from ?? -1);
  for (const from of order) {
    const paths = incoming.get(from);
    const [first, ...others] = paths ?? [];
    const parent = paths === undefined ? undefined : others.reduce(sharedWay, first);
    if (parent !== undefined) parents.set(from, parent);
    for (const { to, way } of links[from] ?? []) {
      // A connection back, which deploying refuses, does not place anything.
      if ((rank.get(to) ?? -1) <= (rank.get(from) ?? 0)) continue;
      const known = incoming.get(to) ?? [];
      incoming.set(to, [...known, way ?? parent]);
    }
  }
  return parents;

  function depthOf(way: number | undefined): number {
    if (way === undefined) return 0;
    const depth = depths.get(way) ?? 1 + depthOf(outerOf(way));
    depths.set(way, depth);
    return depth;
  }

  function sharedWay(one: number | undefined, other: number | undefined): number | undefined {
    let [a, b] = [one, other];
    while (a !== b) {
      if (depthOf(a) >= depthOf(b)) a = a === undefined ? undefined : outerOf(a);
      else b = b === undefined ? undefined : outerOf(b);
    }
    return a;
  }
}
