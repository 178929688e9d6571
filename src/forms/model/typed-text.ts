/** What was typed, as text that a person can read and copy. Pure. */
import { isRecord, type JsonValue } from "../../json.ts";
import type { TypedValue } from "./typed-values.ts";

export interface TypedText {
  readonly labels: readonly string[];
  readonly text: string;
}

/** Each value with its labels, further values of an object one by one. What is empty is left out. */
export function typedTexts(typed: readonly TypedValue[]): readonly TypedText[] {
  return typed.flatMap(({ labels, kind, entry }) => {
    if (kind !== "extra") return namedText(labels, entry);
    return rowsOf(entry, "extra").flatMap(({ name, entry: one }) => namedText([...labels, String(name)], one));
  });
}

function namedText(labels: readonly string[], entry: unknown): readonly TypedText[] {
  const value = plain(entry);
  if (value === undefined) return [];
  return [{ labels, text: typeof value === "string" ? value : JSON.stringify(value, null, 2) }];
}

/** Without the field nothing is known of it but how it was entered. Undefined if it is empty. */
function plain(entry: unknown): JsonValue | undefined {
  if (!isRecord(entry)) return undefined;
  const { kind, text, value, chosen, entries, fields } = entry;
  switch (kind) {
    case "text":
    case "raw":
      return typeof text === "string" && text.trim() !== "" ? text : undefined;
    case "boolean":
    case "choice":
      return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
    case "files":
      return filled(rowsOf(entry, "files").map(({ id, name }) => String(name ?? id)));
    case "list":
      return filled(rowsOf(entry, "rows").flatMap((row) => plain(row["entry"]) ?? []));
    case "variants":
      return isRecord(entries) ? plain(entries[String(chosen)]) : undefined;
    case "object": {
      const own = isRecord(fields) ? Object.entries(fields) : [];
      const extra = rowsOf(entry, "extra").map((row): [string, unknown] => [String(row["name"]), row["entry"]]);
      const values = [...own, ...extra].flatMap(([name, one]): [string, JsonValue][] => {
        const found = plain(one);
        return found === undefined ? [] : [[name, found]];
      });
      return values.length === 0 ? undefined : Object.fromEntries(values);
    }
    default:
      return undefined;
  }
}

const filled = (values: readonly JsonValue[]): JsonValue | undefined => (values.length === 0 ? undefined : [...values]);

function rowsOf(entry: unknown, name: "files" | "rows" | "extra"): readonly Record<string, unknown>[] {
  const rows = isRecord(entry) ? entry[name] : null;
  return Array.isArray(rows) ? rows.filter(isRecord) : [];
}
