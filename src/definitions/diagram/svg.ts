/** A diagram as SVG: without scripts and outside resources, and with colors for light and dark. Pure. */

import { type Bend, layoutOf, type Place } from "./layout.ts";
import { type DiagramEdge, type DiagramStep, type Outline, shortened, widthOf } from "./outline.ts";
import { STYLE } from "./svg-style.ts";

const WIDTH = 208;
const HEIGHT = 52;
const MARGIN = 24;
const KEY_CHARS = 22;
const FACTS_CHARS = 32;
const LABEL_CHARS = 24;
/** How far edges to steps above leave the steps. */
const BEND = 40;
const LABEL_HEIGHT = 16;
/** About the width of a character of a label. */
const CHAR_WIDTH = 7;

export function diagramSvg(title: string, { steps, edges, hidden }: Outline): string {
  const sizes = { width: WIDTH, height: HEIGHT, labelHeight: LABEL_HEIGHT, gapX: 28, gapY: 56 };
  const measured = edges.map((edge) => ({ ...edge, labelWidth: labelWidth(edge.label) }));
  const layout = layoutOf(steps.length, measured, sizes);
  const { places, bends, height } = layout;
  const isCyclic = edges.some(({ from, to }) => (places[from]?.y ?? 0) >= (places[to]?.y ?? 0));
  const width = layout.width + (isCyclic ? BEND : 0);
  const notice = hidden > 0 ? `${hidden} more edges are not shown.` : steps.length === 0 ? "No steps." : null;
  const fullWidth = Math.max(width, notice === null ? 0 : WIDTH) + 2 * MARGIN;
  const fullHeight = height + (notice === null ? 0 : MARGIN) + 2 * MARGIN;
  const drawn = edges.map((edge, index) => edgeSvg(edge, bends[index] ?? [], places));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title" width="${fullWidth}" height="${fullHeight}" viewBox="${-MARGIN} ${-MARGIN} ${fullWidth} ${fullHeight}">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<defs>${arrow("arrow", "tip")}${arrow("arrow-catch", "tip catch")}</defs>`,
    `<rect class="back" x="${-MARGIN}" y="${-MARGIN}" width="${fullWidth}" height="${fullHeight}"/>`,
    ...drawn.map(({ line }) => line),
    ...steps.map((step, index) => stepSvg(step, places[index] ?? { x: 0, y: 0 })),
    ...drawn.map(({ label }) => label),
    notice === null ? "" : `<text class="notice" x="0" y="${height + MARGIN}">${notice}</text>`,
    "</svg>",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function arrow(id: string, name: string): string {
  return `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="${name}" d="M0 0L8 4L0 8z"/></marker>`;
}

function stepSvg({ key, type, marks, isForEach }: DiagramStep, { x, y }: Place): string {
  const [left, top] = [x - WIDTH / 2, y - HEIGHT / 2];
  const box = (shift: number) =>
    `<rect class="box" x="${left + shift}" y="${top + shift}" width="${WIDTH}" height="${HEIGHT}" rx="${type === "input" ? HEIGHT / 2 : 8}"/>`;
  const facts = [type, ...marks].join(" · ");
  return [
    `<g class="step ${type}"><title>${escapeXml(`${key} (${facts})`)}</title>`,
    isForEach ? box(4) : "",
    box(0),
    `<text class="key" x="${x}" y="${y - 4}">${escapeXml(shortened(key, KEY_CHARS))}</text>`,
    `<text class="facts" x="${x}" y="${y + 15}">${escapeXml(shortened(facts, FACTS_CHARS))}</text></g>`,
  ].join("");
}

function edgeSvg(
  { from, to, label, isCatch }: DiagramEdge,
  bends: readonly Bend[],
  places: readonly Place[],
): { readonly line: string; readonly label: string } {
  const start = places[from] ?? { x: 0, y: 0 };
  const end = places[to] ?? { x: 0, y: 0 };
  const isDown = start.y < end.y;
  const path = isDown ? downPath(start, bends, end) : upPath(start, end);
  const tip = `marker-end="url(#${isCatch ? "arrow-catch" : "arrow"})"`;
  const line = `<path class="edge${isCatch ? " catch" : ""}" ${tip} d="${path}"/>`;
  if (label === "") return { line, label: "" };
  const bend = bends.find(({ isLabel }) => isLabel);
  const beside = { x: (start.x + end.x) / 2, y: start.y + (isDown ? HEIGHT : -HEIGHT) };
  const at = bend === undefined ? beside : { x: bend.x, y: (bend.top + bend.bottom) / 2 };
  return { line, label: labelSvg(label, isCatch, at) };
}

/** About the width of a label. */
function labelWidth(label: string): number {
  if (label === "") return 0;
  return Math.ceil([...shortened(label, LABEL_CHARS)].reduce((sum, one) => sum + widthOf(one) * CHAR_WIDTH, 0));
}

function labelSvg(label: string, isCatch: boolean, { x, y }: Place): string {
  const shown = escapeXml(shortened(label, LABEL_CHARS));
  return `<text class="label${isCatch ? " catch" : ""}" x="${x}" y="${y}">${shown}<title>${escapeXml(shortened(label, 200))}</title></text>`;
}

/** From the bottom of a step through the bends to the top of another. */
function downPath(start: Place, bends: readonly Bend[], end: Place): string {
  let [x, y] = [start.x, start.y + HEIGHT / 2];
  let path = `M${x} ${y}`;
  for (const next of [...bends, { x: end.x, top: end.y - HEIGHT / 2, bottom: null }]) {
    const middle = (y + next.top) / 2;
    path += `C${x} ${middle} ${next.x} ${middle} ${next.x} ${next.top}`;
    if (next.bottom !== null) path += `V${next.bottom}`; // straight past what stands there
    [x, y] = [next.x, next.bottom ?? next.top];
  }
  return path;
}

/** Around the right side of the steps: an edge that closes a cycle, which only a draft can have. */
function upPath(start: Place, end: Place): string {
  const side = Math.max(start.x, end.x) + WIDTH / 2 + BEND;
  const [fromX, toX] = [start.x + WIDTH / 2, end.x + WIDTH / 2];
  return `M${fromX} ${start.y + BEND / 4}C${side} ${start.y + BEND / 4} ${side} ${end.y - BEND / 4} ${toX} ${end.y - BEND / 4}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Characters that XML 1.0 does not have, and halves of surrogate pairs. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escapeXml(text: string): string {
  return text.replace(NOT_IN_XML, "\ufffd").replace(/[&<>"]/g, (one) => ESCAPES[one] ?? "");
}
