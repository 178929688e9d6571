/** The shapes in which a value can be shown, the best one first. Pure. */
import { isRecord, type JsonValue } from "../../../../../src/json.ts";

export type Shape = "tree" | "json" | "table" | "text" | "file";

/** Items that are looked at: a list may have a million. */
const LOOKED_AT = 50;

/** A file of the app in an output. */
export interface ShownFile {
  readonly id: string;
  readonly name: string;
  readonly size: number | null;
  readonly mime_type: string;
}

export function shapesOf(value: JsonValue): readonly Shape[] {
  if (typeof value === "string") return ["text", "json"];
  if (typeof value !== "object" || value === null) return ["json"];
  const files = filesOf(value);
  if (files.length > 0) return ["file", "tree", "json"];
  if (Array.isArray(value) && isTable(value)) return ["table", "tree", "json"];
  return ["tree", "json"];
}

function isTable(list: readonly unknown[]): boolean {
  const looked = list.slice(0, LOOKED_AT);
  return looked.length > 1 && looked.every((item) => isRecord(item)) && columnsOf(list).length <= 20;
}

/** The names of the fields of the first items. */
export function columnsOf(list: readonly unknown[]): readonly string[] {
  const names = new Set<string>();
  for (const item of list.slice(0, LOOKED_AT)) {
    if (isRecord(item)) for (const name of Object.keys(item)) names.add(name);
  }
  return [...names];
}

/** The file that a value is, those of a list, or that of a field `file`. */
export function filesOf(value: unknown): readonly ShownFile[] {
  const one = fileOf(value);
  if (one !== null) return [one];
  if (Array.isArray(value)) {
    const files = value.slice(0, LOOKED_AT).map(fileOf);
    return files.flatMap((file) => (file === null || files.includes(null) ? [] : [file]));
  }
  const inside = isRecord(value) ? fileOf(value["file"]) : null;
  return inside === null ? [] : [inside];
}

function fileOf(value: unknown): ShownFile | null {
  if (!isRecord(value)) return null;
  const { id, name, size, mime_type } = value;
  if (typeof id !== "string" || !/^a?file_/.test(id) || typeof mime_type !== "string") return null;
  return { id, name: typeof name === "string" ? name : id, size: typeof size === "number" ? size : null, mime_type };
}
