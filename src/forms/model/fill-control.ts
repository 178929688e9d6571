/** Fills a single control with JSON. Pure. */
import { isRecord, type JsonValue, sortedJson } from "../../json.ts";
import { type Entry, type FileEntry, jsonText } from "./entry.ts";
import type { Choice, Shape, TextShape } from "./form-model.ts";
import type { Notation } from "./notation.ts";
import { readEntry } from "./read-entry.ts";

/** `raw`: the control cannot show the value. */
export function fillControl(shape: Shape, value: JsonValue, notation: Notation): Entry {
  const entry = fitting(shape, value, notation);
  if (entry !== null && isSame(shape, readBack(shape, entry, notation), value)) {
    return shape.kind === "datetime" && entry.kind === "text" && typeof value === "string"
      ? { ...entry, given: value }
      : entry;
  }
  return { kind: "raw", text: jsonText(value) };
}

/** The entry of a control that may show the value; null if none does. */
function fitting(shape: Shape, value: JsonValue, notation: Notation): Entry | null {
  switch (shape.kind) {
    case "text":
    case "date":
    case "time":
    case "connection":
      return typeof value === "string" ? { kind: "text", text: value } : null;
    case "datetime": {
      const local = typeof value === "string" ? notation.toLocal(value) : null;
      return local === null ? null : { kind: "text", text: local };
    }
    case "number":
      return typeof value === "number" ? { kind: "text", text: notation.formatNumber(value) } : null;
    case "boolean":
      return typeof value === "boolean" ? { kind: "boolean", value } : null;
    case "choice":
      return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? { kind: "choice", value: chosen(shape, value) }
        : null;
    case "file":
      return filesOf(value);
    case "json":
      return { kind: "text", text: jsonText(value) };
    case "constant":
      return { kind: "none" };
    default:
      return null;
  }
}

const chosen = ({ choices }: Extract<Shape, { kind: "choice" }>, value: Choice["value"]) =>
  choices.some((one) => one.value === value) ? value : null;

const CLOCK = /^\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function readBack(shape: Shape, entry: Entry, notation: Notation): JsonValue | undefined {
  // The controls of browsers show only these.
  if (entry.kind === "text" && shape.kind === "date" && !DAY.test(entry.text)) return undefined;
  if (entry.kind === "text" && shape.kind === "time" && !CLOCK.test(entry.text)) return undefined;
  if (entry.kind === "text" && shape.kind === "text" && !hasLines(shape) && /[\r\n]/.test(entry.text)) {
    return undefined;
  }
  return readEntry(shape, entry, [], { notation, problems: [], allowsUploads: true });
}

const hasLines = ({ look }: TextShape) => look === "lines" || look === "grows";

function isSame(shape: Shape, read: JsonValue | undefined, value: JsonValue): boolean {
  if (read === undefined) return false;
  if (shape.kind === "file") return true;
  if (shape.kind === "datetime" && typeof read === "string" && typeof value === "string") {
    // The same moment, unless browsers cannot tell it: times that occur twice, and parts of a millisecond.
    const zoned = /(Z|[+-]\d\d:\d\d)$/.test(value) ? value : `${value}Z`;
    return !/\.\d{4}/.test(value) && Date.parse(read) === Date.parse(zoned);
  }
  return sortedJson(read) === sortedJson(value);
}

/** Ids of files, or files of records, which are shown with their `file_id`. */
function filesOf(value: JsonValue): Entry | null {
  const files = (Array.isArray(value) ? value : [value]).map((one): FileEntry | null => {
    const id = isRecord(one) ? one["file_id"] : one;
    return typeof id === "string" && id !== "" ? { id, name: null, size: null, type: "", uploadUrl: null } : null;
  });
  const known = files.filter((one) => one !== null);
  return known.length === files.length && known.length > 0 ? { kind: "files", files: known } : null;
}
