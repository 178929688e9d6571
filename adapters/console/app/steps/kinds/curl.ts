/** Reads a command line of curl. Pure. */

import { urlComponent } from "../../../../../src/encoding/url-component.ts";
import type { HttpRequestStep } from "../../../../../src/workflows/step.ts";
import { HTTP_METHODS } from "../../../../../src/workflows/step.ts";

type Imported = Pick<HttpRequestStep, "url" | "method" | "headers" | "body">;

/** Options with a value, by their long name. */
const VALUES: Readonly<Record<string, string>> = {
  "-X": "request",
  "-H": "header",
  "-d": "data",
  "-u": "user",
  "-A": "user-agent",
  "-e": "referer",
  "-b": "cookie",
  "--url": "url",
  "-o": "",
  "-m": "",
  "-w": "",
};
const LONG: ReadonlySet<string> = new Set([
  ...["request", "header", "data", "data-raw", "data-binary", "data-ascii", "data-urlencode", "json", "user", "url"],
  ...["user-agent", "referer", "cookie", "output", "max-time", "connect-timeout", "write-out", "retry"],
]);
const HEADERS: Readonly<Record<string, string>> = { "user-agent": "user-agent", referer: "referer", cookie: "cookie" };

/** Null if the text is no command line of curl with a URL. */
export function readCurl(text: string): Imported | null {
  const [command, ...words] = wordsOf(text);
  if (command !== "curl") return null;
  const found = { url: "", method: "", headers: new Map<string, string>(), data: [] as string[], isQuery: false };
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const [name, inline] = optionOf(word);
    if (name === null) {
      if (!word.startsWith("-")) found.url = word;
      else if (word === "-G" || word === "--get") found.isQuery = true;
      else if (word === "-I" || word === "--head") found.method = "HEAD";
      continue;
    }
    const value = inline ?? words[++index] ?? "";
    take(found, name, value);
  }
  return found.url === "" ? null : requestOf(found);
}

interface Found {
  url: string;
  method: string;
  readonly headers: Map<string, string>;
  readonly data: string[];
  isQuery: boolean;
}

/** The long name of an option that has a value, and the value if it stands in the same word. */
function optionOf(word: string): readonly [string | null, string | undefined] {
  if (word.startsWith("--")) {
    const [name = "", ...rest] = word.slice(2).split("=");
    return LONG.has(name) ? [name, rest.length === 0 ? undefined : rest.join("=")] : [null, undefined];
  }
  const name = VALUES[word.slice(0, 2)];
  if (name === undefined || !word.startsWith("-")) return [null, undefined];
  return [name, word.length > 2 ? word.slice(2) : undefined];
}

function take(found: Found, name: string, value: string): void {
  if (name === "url") found.url = value;
  else if (name === "request") found.method = value.toUpperCase();
  else if (name === "user") found.headers.set("authorization", `Basic ${base64(value)}`);
  else if (name in HEADERS) found.headers.set(HEADERS[name] ?? name, value);
  else if (name === "header") {
    const colon = value.indexOf(":");
    if (colon > 0) found.headers.set(value.slice(0, colon).trim(), value.slice(colon + 1).trim());
  } else if (name === "json") {
    found.data.push(value);
    addHeader(found, "content-type", "application/json");
    addHeader(found, "accept", "application/json");
  } else if (name === "data-urlencode") found.data.push(encoded(value));
  else if (name.startsWith("data")) found.data.push(value);
}

function addHeader({ headers }: Found, name: string, value: string): void {
  if (![...headers.keys()].some((one) => one.toLowerCase() === name)) headers.set(name, value);
}

function encoded(value: string): string {
  const equals = value.indexOf("=");
  if (equals < 0) return urlComponent(value);
  const name = value.slice(0, equals);
  return `${name}${name === "" ? "" : "="}${urlComponent(value.slice(equals + 1))}`;
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function requestOf(found: Found): Imported {
  const data = found.data.join("&");
  const hasData = found.data.length > 0;
  const url = found.isQuery && hasData ? `${found.url}${found.url.includes("?") ? "&" : "?"}${data}` : found.url;
  const isSent = hasData && !found.isQuery;
  if (isSent) addHeader(found, "content-type", "application/x-www-form-urlencoded");
  const method = HTTP_METHODS.find((one) => one === found.method) ?? (isSent ? "POST" : undefined);
  const request: { -readonly [Name in keyof Imported]: Imported[Name] } = {
    url: /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`,
  };
  if (method !== undefined) request.method = method;
  if (found.headers.size > 0) request.headers = Object.fromEntries(found.headers);
  if (isSent) request.body = data;
  return request;
}

/** Splits as a POSIX shell does: quotes, `$'…'`, backslashes and continued lines. Without variables. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  const add = (more: string) => {
    word = (word ?? "") + more;
  };
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (character === "\\") {
      index++;
      if (text[index] === "\r") index++;
      if (text[index] !== "\n") add(text[index] ?? "");
    } else if (character === "'" || character === '"') {
      const isEscaped = character === "'" && text[index - 1] === "$";
      const [content, end] = quotedAt(text, index, character === '"' ? '"' : isEscaped ? "$" : "'");
      add(content);
      index = end;
    } else if (character === "$" && text[index + 1] === "'") {
      add(""); // begins a quoted part with escapes
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else add(character);
  }
  if (word !== null) words.push(word);
  return words;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** The content of a quoted part, and the index of its closing quote. */
function quotedAt(text: string, open: number, kind: '"' | "'" | "$"): readonly [string, number] {
  const quote = kind === '"' ? '"' : "'";
  let content = "";
  for (let index = open + 1; index < text.length; index++) {
    const character = text[index] ?? "";
    if (character === quote) return [content, index];
    if (character !== "\\" || kind === "'") {
      content += character;
      continue;
    }
    const next = text[++index] ?? "";
    if (kind === "$") content += ESCAPES[next] ?? next;
    else if (next !== "\n") content += /["\\$`]/.test(next) ? next : `\\${next}`;
  }
  return [content, text.length];
}
