/** What the command line has of its surroundings: streams, environment, folder. Tests pass their own. */
import type { Readable, Writable } from "node:stream";

export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder in which the command was called. */
  readonly cwd: string;
  readonly input: Readable;
  /** Standard output: results. With `--json`, one JSON document, or one per line for a stream. */
  readonly output: Writable;
  /** Standard error: progress, hints and errors. */
  readonly messages: Writable;
  /** Whether a person sits in front of input and messages, whom commands may ask. */
  readonly isInteractive: boolean;
  /** Aborts when the person interrupts the command. */
  readonly signal: AbortSignal;
}

/** Prints lines of a result. What is not printable is escaped. */
export function printLine(shell: Shell, text = ""): void {
  shell.output.write(`${printable(text)}\n`);
}

/** Prints a line that is no result, such as progress and hints. What is not printable is escaped. */
export function printMessage(shell: Shell, text: string): void {
  shell.messages.write(`${printable(text)}\n`);
}

export function printJson(shell: Shell, value: unknown): void {
  shell.output.write(`${jsonText(value, 2)}\n`);
}

/** Prints a value on one line. */
export function printJsonLine(shell: Shell, value: unknown): void {
  shell.output.write(`${jsonText(value)}\n`);
}

/** JSON in which what is not printable is escaped: the value stays the same. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value ?? null, null, indent).replace(UNPRINTABLE, (one) =>
    one
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

export function isTerminal(stream: Writable): boolean {
  return Reflect.get(stream, "isTTY") === true;
}

/** Columns of the terminal to which messages go. */
export function widthOf({ messages }: Shell): number {
  const columns: unknown = Reflect.get(messages, "columns");
  return typeof columns === "number" && columns > 0 ? columns : 80;
}

/** Control characters could change what a terminal shows, and formats of direction what a reader sees. */
const UNPRINTABLE = /[^\P{C}\n\t]|[\u2028\u2029]/gu;

/** Text from a server or a file, safe to print. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same on one line of limited length. */
export function oneLine(text: string, length: number): string {
  const line = printable(text.replace(/\s+/g, " ").trim());
  return line.length > length ? `${line.slice(0, Math.max(0, length - 1))}…` : line;
}
