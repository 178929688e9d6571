/** Hides credentials in texts that people read: error messages and logs of the actions that use them. */
import { toBase64 } from "../encoding/base64.ts";
import type { JsonObject } from "../json.ts";
import { MIN_SECRET_CHARS, MIN_SECRET_DIGITS, secretValues } from "./credentials.ts";

const HIDDEN = "[hidden]";
/** Fewer characters of base64 occur in texts without credentials. */
const MIN_BASE64_CHARS = 4;
const BASE64_CHARACTER = /[A-Za-z0-9+/=_-]/;

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns a function that replaces every string of at least 4 characters and every number of at least 6 digits in the
 * credentials by `[hidden]`. It finds them plain, in JSON, in a URL, in hexadecimal, and within base64 or base64url of
 * anything, such as `user:password`. Shorter ones stay, because they are part of ordinary words.
 *
 * Takes time linear to the text.
 */
export function createCredentialHider(credentials: JsonObject): (text: string) => string {
  const values = secretValues(credentials)
    .filter((value) => String(value).length >= (typeof value === "number" ? MIN_SECRET_DIGITS : MIN_SECRET_CHARS))
    .map(String);
  const written = [...new Set(values.flatMap(writtenForms))];
  const encoded = [...new Set(values.flatMap(base64Cores))].filter(({ length }) => length >= MIN_BASE64_CHARS);
  return (text) => {
    const plain = written.flatMap((form) => occurrences(text, form));
    const cores = encoded.flatMap((core) => occurrences(text, core)).sort(byStart);
    return withoutRanges(text, plain.concat(wholeRuns(text, cores)).sort(byStart));
  };
}

/** The forms of a value in text, JSON (also nested), URLs and hexadecimal. */
function writtenForms(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inForm = String(new URLSearchParams([["", value]])).slice(1);
  const utf8 = new TextEncoder().encode(value);
  const component = encodeURIComponent(new TextDecoder().decode(utf8)); // throws at half of a surrogate pair
  const bytes = [...utf8].map((byte) => byte.toString(16).padStart(2, "0"));
  const escaped = [inForm, inForm.replaceAll("+", "%20"), component, bytes.map((byte) => `%${byte}`).join("")];
  const lowerCase = escaped.map((form) => form.replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase()));
  const upperCase = escaped.map((form) => form.replace(/%[0-9a-f]{2}/g, (one) => one.toUpperCase()));
  const hex = bytes.join("");
  return [value, inJson, JSON.stringify(inJson).slice(1, -1), ...lowerCase, ...upperCase, hex, hex.toUpperCase()];
}

/** The base64 characters that depend on the value alone, for each of the three offsets. */
function base64Cores(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  return [0, 1, 2].flatMap((shift) => {
    const shifted = new Uint8Array(shift + bytes.length);
    shifted.set(bytes, shift);
    const core = toBase64(shifted).slice(Math.ceil((shift * 8) / 6), Math.floor((shifted.length * 8) / 6));
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function occurrences(text: string, form: string): Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
    found.push({ start: at, end: at + form.length });
  }
  return found;
}

/** Extends each range by the surrounding base64 characters, which belong to the same value. */
function wholeRuns(text: string, cores: readonly Range[]): Range[] {
  const runs: Range[] = [];
  for (const core of cores) {
    const covered = runs.at(-1)?.end ?? 0;
    if (core.end <= covered) continue;
    let { start, end } = core;
    while (start > covered && BASE64_CHARACTER.test(text.charAt(start - 1))) start--;
    while (end < text.length && BASE64_CHARACTER.test(text.charAt(end))) end++;
    runs.push({ start, end });
  }
  return runs;
}

/** Hides ranges. Those that overlap or touch become one. @param ranges Sorted by start. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
  const pieces: string[] = [];
  let shownTo = 0;
  for (const { start, end } of ranges) {
    if (start > shownTo || pieces.length === 0) pieces.push(text.slice(shownTo, start), HIDDEN);
    shownTo = Math.max(shownTo, end);
  }
  return pieces.join("") + text.slice(shownTo);
}

const byStart = (one: Range, other: Range) => one.start - other.start;
