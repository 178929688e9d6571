/** What an expanded step shows of its fields, at most four lines. Pure. */
import { entriesInOrder } from "../../../../../src/workflows/input/entries-in-order.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import { plainText } from "./plain-text.ts";

const MAX_LINES = 4;
const MAX_NOTE_LINES = 8;
const NOTE_LINE_CHARS = 36;

export function linesOf(step: Step): readonly string[] {
  return allLines(step)
    .filter((line) => line.trim() !== "")
    .slice(0, MAX_LINES);
}

function allLines(step: Step): readonly string[] {
  switch (step.type) {
    case "note":
      return noteLines(step.note);
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

/** The lines of a note without marks of Markdown, wrapped at words. */
export function noteLines(note: string): readonly string[] {
  const lines: string[] = [];
  for (const line of plainText(note.slice(0, 2_000)).split("\n")) {
    let current = "";
    for (const word of line.split(" ")) {
      if (current !== "" && current.length + word.length >= NOTE_LINE_CHARS) {
        lines.push(current);
        current = "";
      }
      current = current === "" ? word : `${current} ${word}`;
    }
    if (current !== "") lines.push(current);
    if (lines.length >= MAX_NOTE_LINES) break;
  }
  return lines.slice(0, MAX_NOTE_LINES);
}
