/** Groups the positioned text of a page into lines, cells and paragraphs. */
import { trimEnd } from "../../../src/encoding/trim.ts";

/** A piece of text as returned by PDF.js. */
export interface PlacedText {
  readonly str: string;
  /** Transformation matrix. The last two elements are the position from the left and from the bottom. */
  readonly transform: readonly unknown[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
}

interface Line {
  text: string;
  /** Baseline, measured from the bottom. */
  y: number;
  /** Right edge so far. */
  right: number;
  height: number;
}

/** Minimum gaps, relative to the text height, between words and cells in a line, and between paragraphs. */
const WORD_GAP_RATIO = 0.12;
const CELL_GAP_RATIO = 0.9;
const PARAGRAPH_GAP_RATIO = 1.75;

/** Keeps the order of the content stream, which nearly all PDF producers write in reading order. */
export function pageText(pieces: readonly PlacedText[]): string {
  const lines: string[] = [];
  let line: Line | null = null;
  for (const piece of pieces) {
    if (piece.str.trim() === "") continue;
    const [x, y] = [Number(piece.transform[4]), Number(piece.transform[5])];
    const height: number = piece.height || line?.height || 1;
    if (line === null || !isOnLine(line, x, y)) {
      if (line !== null) {
        lines.push(line.text);
        if (isApart(line, y, height)) lines.push("");
      }
      line = { text: "", y, right: x, height };
    }
    line.text += between(line, x) + piece.str;
    line.right = x + piece.width;
    line.height = Math.max(line.height, height);
  }
  if (line !== null) lines.push(line.text);
  return lines.map((text) => trimEnd(text, " \u00a0")).join("\n");
}

function isOnLine(line: Line, x: number, y: number): boolean {
  return Math.abs(y - line.y) < line.height * 0.5 && x > line.right - line.height * 2;
}

/** Whether the next line starts a new paragraph or column: it is far below, or above. */
function isApart(line: Line, y: number, height: number): boolean {
  const down = line.y - y;
  return down < 0 || down > Math.max(line.height, height) * PARAGRAPH_GAP_RATIO;
}

function between(line: Line, x: number): string {
  if (line.text === "") return "";
  const gap = (x - line.right) / line.height;
  if (gap > CELL_GAP_RATIO) return "\t";
  return gap > WORD_GAP_RATIO && !/\s$/.test(line.text) ? " " : "";
}
