/** What a canvas draws of the steps of a definition: boxes with their sizes, and edges with their ports. Pure. */

import { connectedSteps, declaredGraph, type Edge, type Graph, inputSteps } from "../../../../src/workflows/graph.ts";
import { entriesInOrder } from "../../../../src/workflows/input/entries-in-order.ts";
import type { Step, StepType } from "../../../../src/workflows/step.ts";
import { linesOf, noteHeight, noteLines } from "./words/step-lines.ts";

/** Where an edge leaves its step. */
export type Port =
  /** Its `destinations`. */
  | { readonly kind: "next" }
  /** A condition of a branch. */
  | { readonly kind: "condition"; readonly name: string }
  | { readonly kind: "else" }
  /** A catch route, by its index in `on_error`. */
  | { readonly kind: "error"; readonly route: number }
  /** From the input step that starts the run, because the other step is `input_connected`. */
  | { readonly kind: "start" };

/** What a step does besides its type, as small marks. */
export type Feature = "conditional" | "loop" | "forEach" | "retry" | "continues" | "auto" | "webhook";

export interface CanvasStep {
  /** The key of the step; with its index where a draft has the key twice. */
  readonly id: string;
  readonly index: number;
  readonly key: string;
  readonly type: StepType;
  readonly look: "expanded" | "collapsed" | "minimal";
  /** What it does, line by line. Only if it is expanded, and the text of a note. */
  readonly lines: readonly string[];
  readonly features: readonly Feature[];
  /** Ids of its outgoing ports, in order. */
  readonly ports: readonly string[];
  readonly width: number;
  readonly height: number;
  /** Upper left corner that the author has chosen, as near as it is drawn; null for none. */
  readonly position: readonly [number, number] | null;
}

export interface CanvasEdge {
  readonly id: string;
  /** Ids of steps. */
  readonly from: string;
  readonly to: string;
  readonly port: Port;
  /** Position and name of the condition, `null` for edges without a label. */
  readonly label: { readonly order: number | null; readonly text: string; readonly condition: string } | null;
}

/** A port that leads nowhere. */
export interface CanvasExit {
  readonly id: string;
  /** Id of its step. */
  readonly from: string;
  readonly port: Port;
  readonly label: CanvasEdge["label"];
}

export interface CanvasGraph {
  readonly steps: ReadonlyMap<string, CanvasStep>;
  readonly edges: ReadonlyMap<string, CanvasEdge>;
  readonly exits: ReadonlyMap<string, CanvasExit>;
  /** Edges by the ids of the steps that they leave and reach. */
  readonly outgoing: ReadonlyMap<string, readonly CanvasEdge[]>;
  readonly incoming: ReadonlyMap<string, readonly CanvasEdge[]>;
  /** Ids of the steps, in the order of the definition. */
  readonly order: readonly string[];
}

const STEP_WIDTH = 208;
export const STEP_HEIGHT = 52;
export const MINIMAL_SIZE = 44;
/** Definitions have no limits of size and distance. What is looked for in rows of pixels needs them. */
export const MAXIMAL_SIZE = 10_000;
const MAX_DISTANCE = 1_000_000;
const EXPANDED_WIDTH = 256;
const LINE_HEIGHT = 18;
/** A note has no head. */
const NOTE_MARGIN = 20;
/** Edges that a canvas shows. A definition of 1 MiB may have a quarter of a million. */
const MAX_EDGES = 4_000;
const MAX_CONDITION = 40;

/** The id of a port, as part of the id of an edge. */
export function portId(port: Port): string {
  if (port.kind === "condition") return `if:${port.name}`;
  if (port.kind === "error") return `error:${port.route}`;
  return port.kind;
}

export function portOf(id: string | null | undefined): Port {
  if (id?.startsWith("if:")) return { kind: "condition", name: id.slice(3) };
  if (id?.startsWith("error:")) return { kind: "error", route: Number(id.slice(6)) };
  if (id === "else" || id === "start") return { kind: id };
  return { kind: "next" };
}

/** @param port The id of a port. */
export const exitId = (from: string, port: string): string => JSON.stringify([from, port]);
export const edgeId = (from: string, port: Port, to: string): string => JSON.stringify([from, portId(port), to]);

export function canvasGraphOf(steps: readonly Step[]): CanvasGraph {
  const ids = idsOf(steps);
  const { outgoing: declared } = declaredGraph(steps);
  const shown = new Map(
    steps.map((step, index) => {
      const id = ids[index] ?? "";
      return [id, canvasStep(step, { index, id, alwaysLeads: declared[index]?.some(isUnconditional) === true })];
    }),
  );
  const edges = new Map<string, CanvasEdge>();
  for (const edge of edgesOf(steps, ids, declared)) {
    if (edges.size >= MAX_EDGES) break;
    edges.set(edge.id, edge);
  }
  const outgoing = new Map<string, CanvasEdge[]>(ids.map((id) => [id, []]));
  const incoming = new Map<string, CanvasEdge[]>(ids.map((id) => [id, []]));
  for (const edge of edges.values()) {
    outgoing.get(edge.from)?.push(edge);
    incoming.get(edge.to)?.push(edge);
  }
  const exits = edges.size < MAX_EDGES ? exitsOf(steps, shown, outgoing) : new Map<string, CanvasExit>();
  return { steps: shown, edges, exits, outgoing, incoming, order: ids };
}

/** Conditions stand in the panel: here, their names are enough. */
function exitsOf(
  steps: readonly Step[],
  shown: CanvasGraph["steps"],
  outgoing: CanvasGraph["outgoing"],
): ReadonlyMap<string, CanvasExit> {
  const exits = new Map<string, CanvasExit>();
  for (const { id: from, index, ports } of shown.values()) {
    const used = new Set(outgoing.get(from)?.map(({ port }) => portId(port)));
    for (const open of ports) {
      if (used.has(open) || exits.size >= MAX_EDGES) continue;
      const id = exitId(from, open);
      const port = portOf(open);
      const label = labelOf(steps[index], port);
      exits.set(id, { id, from, port, label: label === null ? null : { ...label, condition: "" } });
    }
  }
  return exits;
}

function idsOf(steps: readonly Step[]): string[] {
  const seen = new Set<string>();
  return steps.map(({ key }, index) => {
    const id = seen.has(key) ? `${key} (${index})` : key;
    seen.add(key);
    return id;
  });
}

function* edgesOf(
  steps: readonly Step[],
  ids: readonly string[],
  declared: Graph["outgoing"],
): Generator<CanvasEdge, void> {
  const idOf = (index: number) => ids[index] ?? "";
  const edge = (from: number, to: number, port: Port): CanvasEdge => ({
    id: edgeId(idOf(from), port, idOf(to)),
    from: idOf(from),
    to: idOf(to),
    port,
    label: labelOf(steps[from], port),
  });
  for (const [from, outgoing] of declared.entries()) {
    const ranked = outgoing.map(({ to, via, route }) => edge(from, to, portFrom(via, route)));
    ranked.sort((one, other) => (one.label?.order ?? Infinity) - (other.label?.order ?? Infinity) || 0);
    yield* ranked;
  }
  const [start] = inputSteps(steps);
  if (start === undefined) return;
  for (const to of connectedSteps(steps)) if (to !== start) yield edge(start, to, { kind: "start" });
}

const isUnconditional = ({ via, route }: Edge): boolean => via === undefined && route === undefined;

function portFrom(via: string | null | undefined, route: number | undefined): Port {
  if (route !== undefined) return { kind: "error", route };
  if (via === null) return { kind: "else" };
  return via === undefined ? { kind: "next" } : { kind: "condition", name: via };
}

function labelOf(step: Step | undefined, port: Port): CanvasEdge["label"] {
  if (step === undefined || port.kind === "next" || port.kind === "start") return null;
  if (port.kind === "else") return { order: null, text: "", condition: "" };
  if (port.kind === "error") {
    const condition = step.type === "note" ? undefined : step.on_error?.[port.route]?.condition;
    return { order: null, text: "", condition: shortened(condition ?? "") };
  }
  if (step.type !== "branch") return null;
  const place = entriesInOrder(step.conditions).findIndex(([name]) => name === port.name);
  return { order: place + 1, text: port.name, condition: shortened(step.conditions[port.name]?.condition ?? "true") };
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_CONDITION ? `${[...line].slice(0, MAX_CONDITION - 1).join("")}…` : line;
}

/** What a step does not say itself. */
interface StepPlace extends Pick<CanvasStep, "index" | "id"> {
  /** Whether it leads to others whatever its conditions are. */
  readonly alwaysLeads: boolean;
}

function canvasStep(step: Step, { index, id, alwaysLeads }: StepPlace): CanvasStep {
  const look = step.display ?? (step.type === "note" ? "expanded" : "collapsed");
  const lines = step.type === "note" ? noteLines(step.note, step.size) : look === "expanded" ? linesOf(step) : [];
  const [width, height] = step.size ?? [0, 0];
  const natural = naturalSize(step.type, look, step.type === "note" ? noteHeight(lines) : lines.length);
  return {
    ...{ id, index, key: step.key, type: step.type, look, lines },
    features: featuresOf(step),
    ports: portsOf(step, alwaysLeads),
    width: within(width || natural.width, MINIMAL_SIZE, MAXIMAL_SIZE),
    height: within(height || natural.height, MINIMAL_SIZE, MAXIMAL_SIZE),
    position: step.position === undefined ? null : [drawnAt(step.position[0]), drawnAt(step.position[1])],
  };
}

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);
const drawnAt = (pixels: number) => within(pixels, -MAX_DISTANCE, MAX_DISTANCE);

function naturalSize(type: StepType, look: CanvasStep["look"], lines: number) {
  if (look === "minimal") return { width: MINIMAL_SIZE, height: MINIMAL_SIZE };
  if (look === "collapsed" || lines === 0) return { width: STEP_WIDTH, height: STEP_HEIGHT };
  return { width: EXPANDED_WIDTH, height: (type === "note" ? NOTE_MARGIN : STEP_HEIGHT) + lines * LINE_HEIGHT };
}

function featuresOf(step: Step): Feature[] {
  const features: Feature[] = [];
  if (step.type === "note") return features;
  if (step.type === "input" && step.webhook !== undefined) features.push("webhook");
  if (step.conditional !== undefined) features.push("conditional");
  if (step.loop !== undefined) features.push("loop");
  if ("for_each" in step && step.for_each !== undefined) features.push("forEach");
  if ("retry" in step && step.retry !== undefined) features.push("retry");
  if (step.throw_on_error === false) features.push("continues");
  if (step.auto !== undefined) features.push("auto");
  return features;
}

function portsOf(step: Step, alwaysLeads: boolean): string[] {
  if (step.type === "note") return [];
  const errors = (step.on_error ?? []).map((_, route) => portId({ kind: "error", route }));
  if (step.type !== "branch") return ["next", ...errors];
  const conditions = entriesInOrder(step.conditions).map(([name]) => portId({ kind: "condition", name }));
  return [...conditions, "else", ...(alwaysLeads ? ["next"] : []), ...errors];
}
