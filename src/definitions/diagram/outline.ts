/** What a diagram of a version shows: its steps, and the edges between them. Pure. */
import { connectedSteps, declaredGraph, inputSteps } from "../../workflows/graph.ts";
import { isForEach, type Step, type StepType } from "../../workflows/step.ts";
import type { Definition } from "../../workflows/version.ts";

/** Edges that a diagram shows. A definition of 1 MiB may have a quarter of a million. */
const MAX_EDGES = 4_000;

export interface DiagramStep {
  readonly key: string;
  readonly type: StepType;
  /** What stands below its key: its type and what else it does, such as `for each`; by the step's `display`. */
  readonly facts: readonly string[];
  readonly isForEach: boolean;
  /** Where the author placed it; null for nowhere. */
  readonly box: Box | null;
}

/** A step in the picture: its center and its size. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface DiagramEdge {
  readonly from: number;
  readonly to: number;
  /** When a run takes it: a condition of a branch, `else`, or an error. Empty if always. */
  readonly label: string;
  readonly isCatch: boolean;
}

export interface Outline {
  readonly steps: readonly DiagramStep[];
  readonly edges: readonly DiagramEdge[];
  /** Number of edges that are left out. */
  readonly hidden: number;
}

export function outlineOf({ steps }: Pick<Definition, "steps">): Outline {
  const edges = new Map<string, DiagramEdge>();
  let hidden = 0;
  for (const edge of edgesOf(steps)) {
    const id = `${edge.from} ${edge.to} ${edge.isCatch} ${edge.label}`;
    if (edges.has(id)) continue;
    if (edges.size < MAX_EDGES) edges.set(id, edge);
    else hidden++;
  }
  return { steps: steps.map(diagramStep), edges: [...edges.values()], hidden };
}

function* edgesOf(steps: readonly Step[]): Generator<DiagramEdge, void> {
  for (const [from, outgoing] of declaredGraph(steps).outgoing.entries()) {
    for (const { to, via, route } of outgoing) {
      const isCatch = route !== undefined;
      yield {
        from,
        to,
        isCatch,
        label: isCatch ? catchLabel(steps[from], route) : via === null ? "else" : (via ?? ""),
      };
    }
  }
  const inputs = inputSteps(steps);
  const [first] = inputs;
  if (first === undefined) return;
  const label = inputs.length > 1 ? "any start" : "";
  for (const to of connectedSteps(steps)) if (to !== first) yield { from: first, to, label, isCatch: false };
}

function catchLabel(step: Step | undefined, route: number): string {
  if (step === undefined || step.type === "note") return "error";
  return step.on_error?.[route]?.condition ?? "error";
}

/** The size of a step, and the smallest one in which its texts fit. */
export const STEP_SIZE = { width: 208, height: 52 } as const;

function diagramStep(step: Step): DiagramStep {
  const marks: string[] = [step.type];
  if (step.conditional !== undefined) marks.push("if");
  if (step.loop !== undefined) marks.push("loop");
  if (isForEach(step)) marks.push("for each");
  if ("retry" in step && step.retry !== undefined) marks.push("retry");
  const shown = step.display === "expanded" ? [...marks, ...detailsOf(step)] : marks;
  const facts = step.display === "minimal" ? [] : shown;
  return { key: step.key, type: step.type, facts, isForEach: isForEach(step), box: boxOf(step) };
}

/** What a step with the display `expanded` shows of its fields. */
function detailsOf(step: Step): string[] {
  switch (step.type) {
    case "note":
      return [step.note];
    case "http_request":
      return [`${step.method ?? "GET"} ${step.url}`];
    case "browser":
      return [step.url];
    case "service":
      return [`${step.service.service}.${step.service.action}`];
    case "model":
      return [step.provider.model];
    default:
      return [];
  }
}

function boxOf({ position, size }: Step): Box | null {
  if (position === undefined) return null;
  const [left, top] = position;
  const width = Math.max(size?.[0] ?? 0, STEP_SIZE.width);
  const height = Math.max(size?.[1] ?? 0, STEP_SIZE.height);
  return { x: left + width / 2, y: top + height / 2, width, height };
}

/** Characters that are about twice as wide as small letters, and half as wide again. */
const WIDE =
  /[mwMW@%\u2014]|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|[\u{10000}-\u{10ffff}]/u;
const BROAD = /\p{Lu}/u;

/** About the width of a character, compared with a small letter. */
export const widthOf = (one: string) => (WIDE.test(one) ? 2 : BROAD.test(one) ? 1.4 : 1);

/** Cuts a text to a width in small letters, between code points. */
export function shortened(text: string, most: number): string {
  let left = most;
  let shown = "";
  for (const one of text
    .slice(0, 4 * most)
    .replace(/\s+/g, " ")
    .trim()) {
    left -= widthOf(one);
    if (left < 0) return `${shown}…`;
    shown += one;
  }
  return text.length > 4 * most ? `${shown}…` : shown;
}
