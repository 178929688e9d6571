/** A diagram as a Mermaid flowchart. Pure. */
import { type DiagramEdge, type DiagramStep, type Outline, shortened } from "./outline.ts";

const KEY_CHARS = 60;
const FACT_CHARS = 60;
const LABEL_CHARS = 60;

/** The brackets of a node: a stadium for input, a rhombus for branches, a frame for child runs. */
const SHAPES: Readonly<Partial<Record<DiagramStep["type"], readonly [string, string]>>> = {
  input: ["([", "])"],
  branch: ["{", "}"],
  workflow: ["[[", "]]"],
  note: [">", "]"],
};

export function diagramMermaid({ steps, edges, hidden }: Outline): string {
  const lines = ["flowchart TD", ...steps.map(nodeLine), ...edges.map(edgeLine)];
  if (hidden > 0) lines.push(`%% ${hidden} more edges are not shown.`);
  return `${lines.join("\n  ")}\n`;
}

/** Keys may contain anything, so nodes are named by their indexes. */
function nodeLine({ key, type, facts }: DiagramStep, index: number): string {
  const [open, close] = SHAPES[type] ?? ["[", "]"];
  const below = facts.map((fact) => escapeLabel(shortened(fact, FACT_CHARS))).join(" · ");
  const text = [escapeLabel(shortened(key, KEY_CHARS)), ...(below === "" ? [] : [below])].join("<br/>");
  return `s${index}${open}"${text}"${close}`;
}

function edgeLine({ from, to, label, isCatch }: DiagramEdge): string {
  const text = label === "" ? "" : `|"${escapeLabel(shortened(label, LABEL_CHARS))}"|`;
  return `s${from} ${isCatch ? "-.->" : "-->"}${text} s${to}`;
}

/** Everything but letters, digits and harmless punctuation as a code: Mermaid gives a meaning to much of the rest. */
function escapeLabel(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N} _.,!?\u2026-]/gu, (one) => `#${one.codePointAt(0) ?? 0};`);
}
