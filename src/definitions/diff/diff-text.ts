/** A diff as text for people, in the style of `diff -u`. Pure. */
import type { JsonValue } from "../../json.ts";
import type { VersionDiff } from "./version-diff.ts";

/** Equal lines that are shown around different ones. */
const CONTEXT_LINES = 3;

export function diffText(diff: VersionDiff): string {
  const { from, to, removed, added, changed, moved, truncated } = diff;
  const blocks = [
    `--- ${title(from)}\n+++ ${title(to)}`,
    ...removed.map((one) => block(`removed ${place(one)}`, marked("-", linesOf(one.value)))),
    ...added.map((one) => block(`added ${place(one)}`, marked("+", linesOf(one.value)))),
    ...changed.map((one) => block(`changed ${place(one)}`, changedLines(one.before, one.after))),
    ...moved.map(({ step, pointer, from_pointer }) => `moved ${from_pointer} to ${pointer} (step ${quoted(step)})`),
  ];
  if (blocks.length === 1) blocks.push("No differences.");
  if (truncated) blocks.push("More differences were left out.");
  return `${blocks.map(printable).join("\n\n")}\n`;
}

const title = ({ id, version }: VersionDiff["from"]) =>
  version === 0 ? `draft (${id})` : `version ${version} (${id})`;
const quoted = (text: string) => JSON.stringify(text);
const place = ({ pointer, step }: { readonly pointer: string; readonly step?: string }) =>
  step === undefined ? pointer : `${pointer} (step ${quoted(step)})`;
const block = (head: string, lines: readonly string[]) => [head, ...lines].join("\n");
const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `${mark} ${line}`);

/** Text with several lines as it is, any other value as JSON. */
function linesOf(value: JsonValue): string[] {
  const isText = typeof value === "string" && value.includes("\n");
  return (isText ? value : JSON.stringify(value, null, 2)).split(/\r?\n/);
}

/** The different lines between equal ones. */
function changedLines(before: JsonValue, after: JsonValue): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (start + end < shorter && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [
    ...marked(" ", now.slice(Math.max(0, start - CONTEXT_LINES), start)),
    ...marked("-", old.slice(start, old.length - end)),
    ...marked("+", now.slice(start, now.length - end)),
    ...marked(" ", now.slice(now.length - end, now.length - end + CONTEXT_LINES)),
  ];
}

/** Control characters could change what a terminal shows, and formats of direction what a reader sees. */
const UNPRINTABLE = /[^\P{C}\n\t]|[\u2028\u2029]/gu;

function printable(text: string): string {
  return text.replace(UNPRINTABLE, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
}
