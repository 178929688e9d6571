/** Reads JSON that was typed, or that a file or standard input contains. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { systemErrorCode } from "../../../src/errors.ts";
import { checkedJson, isRecord, type JsonObject, type JsonValue } from "../../../src/json.ts";
import { CommandError, refused, wrongUse } from "../terminal/failure.ts";
import type { Shell } from "../terminal/shell.ts";
import { lineAt } from "./json-place.ts";
import { syntaxErrorAt } from "./syntax-error.ts";

export interface JsonText {
  readonly value: JsonValue;
  readonly text: string;
}

/** @param path `-` for standard input. */
export async function readJsonFile(path: string, shell: Shell, fail = refused): Promise<JsonText> {
  const content = await readText(path, shell, fail);
  return { value: parse(content, path === "-" ? "standard input" : path, fail), text: content };
}

/** @param fail The error for a file with another content than text. */
export async function readText(path: string, shell: Pick<Shell, "cwd" | "input">, fail = refused): Promise<string> {
  const bytes = await readBytes(path, shell);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fail(`${path === "-" ? "Standard input" : path}: is not UTF-8 text.`);
  }
}

/** @param path `-` for standard input. */
export async function readBytes(path: string, { cwd, input }: Pick<Shell, "cwd" | "input">): Promise<Uint8Array> {
  if (path === "-") return buffer(input);
  try {
    return await readFile(resolve(cwd, path));
  } catch (error) {
    throw unreadable(path, error);
  }
}

export function unreadable(path: string, error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const code = systemErrorCode(error);
  if (code === "ENOENT") return wrongUse(`There is no file ${path}.`);
  if (code === "EISDIR") return wrongUse(`${path} is a folder.`, "Pass a file.");
  return wrongUse(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
}

/** An object that stands in the argument itself, or in the file that it names. */
export async function readObject(typed: string, option: string, shell: Shell): Promise<JsonObject> {
  if (typed.trim() === "") throw wrongUse(`${option} is empty.`, needsObject(option));
  const isText = /^\s*[{[]/.test(typed);
  const value = isText ? parse(typed, option, wrongUse) : (await readJsonFile(typed, shell, wrongUse)).value;
  if (isRecord(value)) return value;
  throw wrongUse(`${option} needs a JSON object.`, needsObject(option));
}

const needsObject = (option: string) => `Type ${option} '{"name": "value"}', a file, or - for standard input.`;

function parse(content: string, source: string, fail: typeof refused): JsonValue {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    const at = syntaxErrorAt(content);
    const found = at >= content.length ? "the text ends early" : `unexpected ${JSON.stringify(content[at])}`;
    throw fail(`${source}:${lineAt(content, at)}: not valid JSON: ${found}.`);
  }
  return checkedJson(value);
}
