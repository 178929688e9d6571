/** Builds multipart bodies for the tests, with the expected result. */
export interface MultipartCase {
  /** What the body is for. */
  readonly title: string;
  /** The Content-Type of the request. */
  readonly type: string;
  readonly body: Uint8Array;
  readonly expected: Accepted | Refused;
}

export interface Accepted {
  readonly name: string;
  readonly content: Uint8Array;
}

export interface Refused {
  /** What the error message must contain. */
  readonly message: RegExp;
}

export const BOUNDARY = "cut-here";
export const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
export const DISPOSITION = 'Content-Disposition: form-data; name="file"; filename="a.txt"';

const utf8 = (text: string) => new TextEncoder().encode(text);
export const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

export function joined(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...(typeof part === "string" ? utf8(part) : part)]));
}

interface Shape {
  readonly boundary?: string;
  readonly head?: string | Uint8Array;
  readonly before?: string;
  readonly after?: string;
}

/** One part that is valid except for the given fields. */
export function form(content: string | Uint8Array, shape: Shape = {}): Uint8Array {
  const { boundary = BOUNDARY, head = DISPOSITION, before = "", after = "\r\n" } = shape;
  return joined(before, `--${boundary}\r\n`, head, "\r\n\r\n", content, `\r\n--${boundary}--`, after);
}

export function accepted(
  title: string,
  body: Uint8Array,
  content: string | Uint8Array,
  name = "a.txt",
  type = FORM,
): MultipartCase {
  return { title, type, body, expected: { name, content: joined(content) } };
}

export function refused(title: string, body: string | Uint8Array, message: RegExp, type = FORM): MultipartCase {
  return { title, type, body: joined(body), expected: { message } };
}
