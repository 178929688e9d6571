/** Makes lines, cells and paragraphs of the pieces of text that a page places. */
import { trimEnd } from "../../../src/encoding/trim.ts";

/** A piece of text as PDF.js tells it. */
export interface PlacedText {
  readonly str: string;
  /** The last two are where it starts, from the left and from the bottom. */
  readonly transform: readonly unknown[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
}

interface Line {
  text: string;
  /** Where it stands, from the bottom. */
  y: number;
  /** Where it ends so far. */
  right: number;
  height: number;
}

/** All in heights of the text: from where on two pieces are words, cells, and lines are paragraphs. */
const WORDS = 0.12;
const CELLS = 0.9;
const PARAGRAPHS = 1.75;

/** Pieces stay in the order in which the page has them: that of reading, with nearly all that make PDFs. */
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

/** Further down than the next line of a paragraph, or up, where a column starts. */
function isApart(line: Line, y: number, height: number): boolean {
  const down = line.y - y;
  return down < 0 || down > Math.max(line.height, height) * PARAGRAPHS;
}

function between(line: Line, x: number): string {
  if (line.text === "") return "";
  const gap = (x - line.right) / line.height;
  if (gap > CELLS) return "\t";
  return gap > WORDS && !/\s$/.test(line.text) ? " " : "";
}
