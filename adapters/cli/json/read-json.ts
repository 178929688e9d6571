/** Reads JSON that was typed, or that a file or standard input contains. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { systemErrorCode } from "../../../src/errors.ts";
import { checkedJson, isRecord, type JsonObject, type JsonValue } from "../../../src/json.ts";
import { type CommandError, refused, wrongUse } from "../terminal/failure.ts";
import type { Shell } from "../terminal/shell.ts";
import { lineAt } from "./json-place.ts";
import { syntaxErrorAt } from "./syntax-error.ts";

export interface JsonText {
  readonly value: JsonValue;
  readonly text: string;
}

/** @param path `-` for standard input. */
export async function readJsonFile(path: string, shell: Shell): Promise<JsonText> {
  const content = await readText(path, shell);
  return { value: parse(content, path === "-" ? "standard input" : path), text: content };
}

export async function readText(path: string, shell: Pick<Shell, "cwd" | "input">): Promise<string> {
  return new TextDecoder().decode(await readBytes(path, shell));
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
  const code = systemErrorCode(error);
  if (code === "ENOENT") return wrongUse(`There is no file ${path}.`);
  if (code === "EISDIR") return wrongUse(`${path} is a folder.`, "Pass a file.");
  return wrongUse(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
}

/** An object that stands in the argument itself, or in the file that it names. */
export async function readObject(typed: string, option: string, shell: Shell): Promise<JsonObject> {
  const isText = /^\s*[{[]/.test(typed);
  const value = isText ? parse(typed, option) : (await readJsonFile(typed, shell)).value;
  if (isRecord(value)) return value;
  throw wrongUse(
    `${option} needs a JSON object.`,
    `Type ${option} '{"name": "value"}', a file, or - for standard input.`,
  );
}

function parse(content: string, source: string): JsonValue {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    const at = syntaxErrorAt(content);
    const found = at >= content.length ? "the text ends early" : `unexpected ${JSON.stringify(content[at])}`;
    throw refused(`${source}:${lineAt(content, at)}: not valid JSON: ${found}.`);
  }
  return checkedJson(value);
}
