/** Parses a Range header. RFC 9110 §14. */

/** A range of bytes. */
export interface ByteRange {
  /** First byte, from 0. */
  readonly start: number;
  /** End of the range, exclusive. */
  readonly end: number;
}

const RANGE_UNIT = "bytes";
const RANGE_SPEC = /^(\d*)-(\d*)$/;
/** Maximum ranges of one request, against requests that are only expensive (RFC 9110 §14.2). */
const MAX_RANGES = 50;

/**
 * The ranges in the order of the header; ranges that touch or overlap are merged. Null for the whole file, including if the
 * header is invalid, which servers must ignore. `unsatisfiable` if no range is within the file.
 */
export function parseRanges(header: string | null, size: number): readonly ByteRange[] | "unsatisfiable" | null {
  const equals = header?.indexOf("=") ?? -1;
  if (header === null || header.slice(0, Math.max(0, equals)).trim().toLowerCase() !== RANGE_UNIT) return null;
  const specs = header
    .slice(equals + 1)
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  if (specs.length === 0 || specs.length > MAX_RANGES) return null;
  const ranges: ByteRange[] = [];
  for (const spec of specs) {
    const range = rangeOf(spec, size);
    if (range === null) return null;
    if (range !== "unsatisfiable") ranges.push(range);
  }
  return ranges.length === 0 ? "unsatisfiable" : mergeRanges(ranges);
}

function rangeOf(spec: string, size: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = RANGE_SPEC.exec(spec) ?? []; // no spaces within (RFC 9110 §14.1.2)
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size };
  }
  if (last !== "" && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return "unsatisfiable";
  return { start: Number(first), end: last === "" ? size : Math.min(Number(last) + 1, size) };
}

/** Merges ranges that touch or overlap. A merged range may touch a further one. */
function mergeRanges(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const merged: ByteRange[] = [];
  for (const range of ranges) {
    const at = merged.findIndex((other) => range.start <= other.end && other.start <= range.end);
    const other = merged[at];
    if (other === undefined) merged.push(range);
    else merged[at] = { start: Math.min(other.start, range.start), end: Math.max(other.end, range.end) };
  }
  return merged.length === ranges.length ? merged : mergeRanges(merged);
}
