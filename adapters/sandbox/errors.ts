/** Converts what failed code has thrown to an error for its author. */
import type { SandboxLimits } from "../../src/ports/sandbox.ts";
import { type Failure, overLimit } from "./protocol.ts";

/** File name of the user's code in QuickJS stack traces. {@link FRAME} contains it too. */
export const CODE_FILE = "code.js";
/** Precedes the user's code on its first line, so that line numbers stay the same. */
export const WRAPPER_START = "(async()=>{";
export const WRAPPER_END = "\n})";

/** A thrown value as text. `name` and `stack` are empty if it is not an error. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Whether the code had returned and the error occurred while its result was serialized. */
  readonly returned: boolean;
}

interface CodePosition {
  readonly line: number;
  readonly column: number;
  /** Whether the position is after the end of the code, because a construct is not closed. */
  readonly isEnd: boolean;
}

const MAX_MESSAGE_CHARS = 2000;
/** An import statement. */
const IMPORT = /^[ \t]*import[ \t]*[\w{*"']/m;
const UNDEFINED = /^'?(\w+)'? is not defined$/;
const MODULE_NAMES: ReadonlySet<string> = new Set(["require", "module", "exports"]);
const NETWORK_NAMES: ReadonlySet<string> = new Set(["fetch", "XMLHttpRequest", "WebSocket"]);
const NO_MODULES = " Code steps cannot load modules. To use a package, call it from a service.";
const NO_NETWORK = " Code steps have no network access. Use an http_request step or a service.";
const FRAME = /\bcode\.js:(\d{1,9})(?::(\d{1,9}))?/;
const OUT_OF_MEMORY = new Set(["out of memory", "string too long", "invalid string length"]);
/** QuickJS throws null if it has no memory for an error. Code can do the same in these ways. */
const THROWS_NULL = /\b(?:throw|reject)(?:\s|\()+null\b/;

export function failureOf(thrown: Thrown, code: string, limits: SandboxLimits): Failure {
  const position = positionOf(thrown.stack, code);
  const line = position?.line;
  const limit = limitOf(thrown, code);
  if (limit !== null) return overLimit(limit, limits, line);
  if (position?.isEnd)
    return { code: "code_failed", message: `SyntaxError: unexpected end of the code (line ${line})`, line };
  return { code: "code_failed", message: `${messageOf(thrown, position)}${hintOf(thrown, code)}`, line };
}

/** Returns the position in the user's code that is nearest to where the error was created. */
export function positionOf(stack: string, code: string): CodePosition | null {
  const [, line, column] = FRAME.exec(stack) ?? [];
  if (line === undefined) return null;
  const last = code.split("\n").length;
  if (Number(line) > last) return { line: last, column: 0, isEnd: true };
  const start = line === "1" ? WRAPPER_START.length : 0;
  return { line: Number(line), column: Math.max(0, Number(column ?? 0) - start), isEnd: false };
}

function limitOf({ name, message }: Thrown, code: string): "memoryBytes" | "stackBytes" | null {
  if (name === "" && message === "null" && !THROWS_NULL.test(code)) return "memoryBytes";
  if (name === "InternalError" || name === "RangeError") {
    if (OUT_OF_MEMORY.has(message)) return "memoryBytes";
  }
  const isOverflow = message === "stack overflow" && (name === "InternalError" || name === "SyntaxError");
  return isOverflow ? "stackBytes" : null;
}

/** Says what to use instead of what other JavaScript runtimes have. A sentence with a leading space, or "". */
function hintOf({ name, message }: Thrown, code: string): string {
  if (name === "SyntaxError" && IMPORT.test(code)) return NO_MODULES;
  if (name !== "ReferenceError") return "";
  const [, missing = ""] = UNDEFINED.exec(message) ?? [];
  if (MODULE_NAMES.has(missing)) return NO_MODULES;
  return NETWORK_NAMES.has(missing) ? NO_NETWORK : "";
}

function messageOf({ name, message, returned }: Thrown, position: CodePosition | null): string {
  const what = `${name === "" ? "thrown" : name}: ${message}`.slice(0, MAX_MESSAGE_CHARS);
  const where =
    position === null ? "" : ` (line ${position.line}${position.column > 0 ? `, column ${position.column}` : ""})`;
  return returned ? `The return value of the code cannot be converted to JSON: ${what}${where}` : `${what}${where}`;
}
