/** A diagram as SVG: without scripts and outside resources, and with colors for light and dark. Pure. */

import { type Bend, layoutOf } from "./layout.ts";
import {
  type Box,
  type DiagramEdge,
  type DiagramStep,
  type Outline,
  STEP_SIZE,
  shortened,
  widthOf,
} from "./outline.ts";
import { STYLE } from "./svg-style.ts";

const MARGIN = 24;
const KEY_CHARS = 22;
const FACTS_CHARS = 32;
const LABEL_CHARS = 24;
/** How far edges to steps above leave the steps. */
const BEND = 40;
const LABEL_HEIGHT = 16;
/** From a step to the label of an edge that leaves it at its top or bottom. */
const LABEL_DISTANCE = 26;
/** About the width of a character of a label. */
const CHAR_WIDTH = 7;

interface Picture {
  readonly boxes: readonly Box[];
  /** For each edge, its bends from its start to its end. */
  readonly bends: readonly (readonly Bend[])[];
  readonly width: number;
  readonly height: number;
}

const ORIGIN: Box = { x: 0, y: 0, ...STEP_SIZE };

/** The steps where their author placed them; in layers, unless each has a place. */
function pictureOf(outline: Outline): Picture {
  return placedPicture(outline) ?? layeredPicture(outline);
}

function placedPicture({ steps }: Outline): Picture | null {
  const boxes = steps.flatMap(({ box }) => (box === null ? [] : [box]));
  if (boxes.length < steps.length || boxes.length === 0) return null;
  const edge = (of: (box: Box) => number, pick: (...all: number[]) => number) =>
    boxes.reduce((found, box) => pick(found, of(box)), of(boxes[0] ?? ORIGIN));
  const left = edge(({ x, width }) => x - width / 2, Math.min);
  const top = edge(({ y, height }) => y - height / 2, Math.min);
  return {
    boxes: boxes.map((box) => ({ ...box, x: box.x - left, y: box.y - top })),
    bends: [],
    width: edge(({ x, width }) => x + width / 2, Math.max) - left,
    height: edge(({ y, height }) => y + height / 2, Math.max) - top,
  };
}

function layeredPicture({ steps, edges }: Outline): Picture {
  const sizes = { ...STEP_SIZE, labelHeight: LABEL_HEIGHT, gapX: 28, gapY: 56 };
  const measured = edges.map((edge) => ({ ...edge, labelWidth: labelWidth(edge.label) }));
  const { places, ...layout } = layoutOf(steps.length, measured, sizes);
  return { ...layout, boxes: places.map((place) => ({ ...place, ...STEP_SIZE })) };
}

export function diagramSvg(title: string, outline: Outline): string {
  const { steps, edges, hidden } = outline;
  const picture = pictureOf(outline);
  const { boxes, bends, height } = picture;
  const isCyclic = edges.some(({ from, to }) => pathOf(boxes[from] ?? ORIGIN, boxes[to] ?? ORIGIN) === "up");
  const width = picture.width + (isCyclic ? BEND : 0);
  const notice = hidden > 0 ? `${hidden} more edges are not shown.` : steps.length === 0 ? "No steps." : null;
  const fullWidth = Math.max(width, notice === null ? 0 : STEP_SIZE.width) + 2 * MARGIN;
  const fullHeight = height + (notice === null ? 0 : MARGIN) + 2 * MARGIN;
  const drawn = edges.map((edge, index) => edgeSvg(edge, bends[index] ?? [], boxes));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title" width="${fullWidth}" height="${fullHeight}" viewBox="${-MARGIN} ${-MARGIN} ${fullWidth} ${fullHeight}">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<defs>${arrow("arrow", "tip")}${arrow("arrow-catch", "tip catch")}</defs>`,
    `<rect class="back" x="${-MARGIN}" y="${-MARGIN}" width="${fullWidth}" height="${fullHeight}"/>`,
    ...drawn.map(({ line }) => line),
    ...steps.map((step, index) => stepSvg(step, boxes[index] ?? ORIGIN)),
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

function stepSvg({ key, type, facts, isForEach }: DiagramStep, { x, y, width, height }: Box): string {
  const [left, top] = [x - width / 2, y - height / 2];
  const box = (shift: number) =>
    `<rect class="box" x="${left + shift}" y="${top + shift}" width="${width}" height="${height}" rx="${type === "input" ? height / 2 : 8}"/>`;
  const below = facts.join(" · ");
  const title = below === "" ? key : `${key} (${shortened(below, 200)})`;
  return [
    `<g class="step ${type}"><title>${escapeXml(title)}</title>`,
    isForEach ? box(4) : "",
    box(0),
    `<text class="key" x="${x}" y="${below === "" ? y + 5 : y - 4}">${escapeXml(shortened(key, KEY_CHARS))}</text>`,
    below === "" ? "" : `<text class="facts" x="${x}" y="${y + 15}">${escapeXml(shortened(below, FACTS_CHARS))}</text>`,
    "</g>",
  ].join("");
}

function edgeSvg(
  { from, to, label, isCatch }: DiagramEdge,
  bends: readonly Bend[],
  boxes: readonly Box[],
): { readonly line: string; readonly label: string } {
  const start = boxes[from] ?? ORIGIN;
  const end = boxes[to] ?? ORIGIN;
  const direction = pathOf(start, end);
  const path = PATHS[direction](start, end, bends);
  const tip = `marker-end="url(#${isCatch ? "arrow-catch" : "arrow"})"`;
  const line = `<path class="edge${isCatch ? " catch" : ""}" ${tip} d="${path}"/>`;
  if (label === "") return { line, label: "" };
  const bend = bends.find(({ isLabel }) => isLabel);
  const distance = start.height / 2 + LABEL_DISTANCE;
  const outside = start.y + (direction === "down" ? distance : -distance);
  const beside = { x: (start.x + end.x) / 2, y: direction === "right" ? (start.y + end.y) / 2 : outside };
  const at = bend === undefined ? beside : { x: bend.x, y: (bend.top + bend.bottom) / 2 };
  return { line, label: labelSvg(label, isCatch, at) };
}

/** About the width of a label. */
function labelWidth(label: string): number {
  if (label === "") return 0;
  return Math.ceil([...shortened(label, LABEL_CHARS)].reduce((sum, one) => sum + widthOf(one) * CHAR_WIDTH, 0));
}

function labelSvg(label: string, isCatch: boolean, { x, y }: Pick<Box, "x" | "y">): string {
  const shown = escapeXml(shortened(label, LABEL_CHARS));
  return `<text class="label${isCatch ? " catch" : ""}" x="${x}" y="${y}">${shown}<title>${escapeXml(shortened(label, 200))}</title></text>`;
}

const PATHS = { down: downPath, right: rightPath, up: upPath } as const;

/** To a step below, to one beside that only an author can place there, or around to one above. */
function pathOf(start: Box, end: Box): keyof typeof PATHS {
  if (start.y + start.height / 2 < end.y - end.height / 2) return "down";
  return start.x + start.width / 2 <= end.x - end.width / 2 ? "right" : "up";
}

/** From the right side of a step to the left side of another. */
function rightPath(start: Box, end: Box): string {
  const [fromX, toX] = [start.x + start.width / 2, end.x - end.width / 2];
  const middle = (fromX + toX) / 2;
  return `M${fromX} ${start.y}C${middle} ${start.y} ${middle} ${end.y} ${toX} ${end.y}`;
}

/** From the bottom of a step through the bends to the top of another. */
function downPath(start: Box, end: Box, bends: readonly Bend[]): string {
  let [x, y] = [start.x, start.y + start.height / 2];
  let path = `M${x} ${y}`;
  for (const next of [...bends, { x: end.x, top: end.y - end.height / 2, bottom: null }]) {
    const middle = (y + next.top) / 2;
    path += `C${x} ${middle} ${next.x} ${middle} ${next.x} ${next.top}`;
    if (next.bottom !== null) path += `V${next.bottom}`; // straight past what stands there
    [x, y] = [next.x, next.bottom ?? next.top];
  }
  return path;
}

/** Around the right side of the steps: an edge that closes a cycle, which only a draft can have. */
function upPath(start: Box, end: Box): string {
  const [fromX, toX] = [start.x + start.width / 2, end.x + end.width / 2];
  const side = Math.max(fromX, toX) + BEND;
  return `M${fromX} ${start.y + BEND / 4}C${side} ${start.y + BEND / 4} ${side} ${end.y - BEND / 4} ${toX} ${end.y - BEND / 4}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Characters that XML 1.0 does not have, and halves of surrogate pairs. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escapeXml(text: string): string {
  return text.replace(NOT_IN_XML, "\ufffd").replace(/[&<>"]/g, (one) => ESCAPES[one] ?? "");
}
