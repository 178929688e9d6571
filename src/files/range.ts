/** Decides which bytes of a file a Range header asks for. RFC 9110 section 14. */

export interface ByteRange {
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

const ONE = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i;

/**
 * Null: the whole file, also for what cannot be read and for several ranges, which a server may ignore.
 * `unsatisfiable`: nothing of it lies in the file.
 */
export function requestedRange(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = ONE.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size };
  }
  if (last !== "" && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return "unsatisfiable";
  return { start: Number(first), end: last === "" ? size : Math.min(Number(last) + 1, size) };
}
