/** What an expanded step shows of its fields, at most four lines. Pure. */
import { entriesInOrder } from "../../../../../src/workflows/input/entries-in-order.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import { plainText } from "./plain-text.ts";

const MAX_LINES = 4;
const MAX_NOTE_LINES = 8;
/** Of a line of a note that has no size of its own, about. */
const NOTE_LINE_CHARS = 36;
const MAX_NOTE_CHARS = 2_000;
/** Of a large note. */
const MOST_NOTE_CHARS = 20_000;
/** The room that a character takes at least, in square pixels. */
const CHAR_ROOM = 70;

export function linesOf(step: Step): readonly string[] {
  return allLines(step)
    .filter((line) => line.trim() !== "")
    .slice(0, MAX_LINES);
}

function allLines(step: Step): readonly string[] {
  switch (step.type) {
    case "note":
      return noteLines(step.note, step.size);
    case "input":
      return [
        Object.keys(step.input).slice(0, 12).join(", "),
        step.webhook === undefined ? "" : `${step.webhook.method} ${step.webhook.path ?? ""}`,
      ];
    case "branch":
      return entriesInOrder(step.conditions).map(([name, { condition }]) => `${name}: ${condition ?? "true"}`);
    case "code":
      return step.code.slice(0, 2_000).split("\n");
    case "model":
      return [
        `${step.provider.provider} · ${step.provider.model}`,
        typeof step.provider.messages === "string" ? step.provider.messages : "",
      ];
    case "http_request":
      return [`${step.method ?? "GET"} ${step.url}`];
    case "browser":
      return [step.url];
    case "workflow":
      return [step.workflow_id ?? "", step.step_key ?? ""];
    case "service":
      return [`${step.service.service}.${step.service.action}`];
  }
}

/**
 * The lines of a note, without marks of Markdown and empty lines. The browser wraps them.
 *
 * @param size Of the note. @default its text decides
 */
export function noteLines(note: string, size?: readonly [number, number]): readonly string[] {
  const room = size === undefined ? 0 : Math.ceil((size[0] * size[1]) / CHAR_ROOM);
  const chars = Math.min(Math.max(MAX_NOTE_CHARS, room), MOST_NOTE_CHARS);
  return plainText(note.slice(0, chars))
    .split("\n")
    .filter((line) => line.trim() !== "");
}

/** How many lines a note without a size of its own shows: about as many as the browser makes of them. */
export function noteHeight(lines: readonly string[]): number {
  let count = 0;
  for (const line of lines) {
    let chars = 0;
    for (const word of line.split(" ")) {
      if (chars === 0 || chars + word.length >= NOTE_LINE_CHARS) {
        count += 1;
        chars = word.length;
      } else chars += 1 + word.length;
    }
    if (count >= MAX_NOTE_LINES) return MAX_NOTE_LINES;
  }
  return count;
}
