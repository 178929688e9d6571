/** The start of the formatted JSON of a value, without writing all of it. Pure. */
import type { JsonObject, JsonValue } from "../../../../../src/json.ts";

/** @param limit Maximum characters. The text is whole if it is shorter. */
export function jsonStart(value: JsonValue, limit: number): string {
  const pieces: string[] = [];
  let left = limit;

  function write(piece: string): boolean {
    pieces.push(piece.length > left ? piece.slice(0, left) : piece);
    left -= Math.min(left, piece.length);
    return left > 0;
  }

  function visit(one: JsonValue, line: string): boolean {
    if (typeof one === "string") return write(JSON.stringify(one.length > left ? one.slice(0, left) : one));
    if (typeof one !== "object" || one === null) return write(JSON.stringify(one));
    const inner = `${line}  `;
    if (!Array.isArray(one)) return visitObject(one, line, inner);
    for (let index = 0; index < one.length; index++) {
      if (!write(`${index === 0 ? "[" : ","}${inner}`) || !visit(one[index] ?? null, inner)) return false;
    }
    return write(one.length === 0 ? "[]" : `${line}]`);
  }

  function visitObject(object: JsonObject, line: string, inner: string): boolean {
    let isFirst = true;
    for (const key in object) {
      if (!write(`${isFirst ? "{" : ","}${inner}${JSON.stringify(key)}: `)) return false;
      if (!visit(object[key] ?? null, inner)) return false;
      isFirst = false;
    }
    return write(isFirst ? "{}" : `${line}}`);
  }

  visit(value, "\n");
  return pieces.join("");
}
