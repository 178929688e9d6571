/** What a diagram of a version shows: its steps, and the edges between them. Pure. */
import { connectedSteps, declaredGraph, inputSteps } from "../../workflows/graph.ts";
import { isForEach, type Step, type StepType } from "../../workflows/step.ts";
import type { Definition } from "../../workflows/version.ts";

/** Edges that a diagram shows. A definition of 1 MiB may have a quarter of a million. */
const MAX_EDGES = 4_000;

export interface DiagramStep {
  readonly key: string;
  readonly type: StepType;
  /** What the step does besides its type, such as `for each`. */
  readonly marks: readonly string[];
  readonly isForEach: boolean;
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

function diagramStep(step: Step): DiagramStep {
  const marks: string[] = [];
  if (step.conditional !== undefined) marks.push("if");
  if (step.loop !== undefined) marks.push("loop");
  if (isForEach(step)) marks.push("for each");
  if ("retry" in step && step.retry !== undefined) marks.push("retry");
  return { key: step.key, type: step.type, marks, isForEach: isForEach(step) };
}

/** Characters that are about twice as wide as small letters, and half as wide again. */
const WIDE = /[mwMW@%—]|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|[\u{10000}-\u{10ffff}]/u;
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
