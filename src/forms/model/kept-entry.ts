/** Entries that were kept outside the form, such as by the browser. Pure. */
import { isRecord } from "../../json.ts";
import type { Entry } from "./entry.ts";
import type { Shape } from "./form-model.ts";

/**
 * What was kept, if it still fits the form; else null. The form may have changed since, and so may the console that kept it.
 */
export function keptEntry(shape: Shape, kept: unknown): Entry | null {
  return fits(shape, kept) ? (kept as Entry) : null; // checked by fits
}

function fits(shape: Shape, kept: unknown): boolean {
  if (!isRecord(kept)) return false;
  const { kind, value } = kept;
  if (kind === "raw") return typeof kept["text"] === "string";
  switch (shape.kind) {
    case "object": {
      const { fields, extra } = kept;
      if (kind === "none") return true;
      if (kind !== "object" || !isRecord(fields) || !Array.isArray(extra)) return false;
      return (
        Object.keys(fields).length === shape.fields.length &&
        shape.fields.every(({ key, shape: inner }) => Object.hasOwn(fields, key) && fits(inner, fields[key])) &&
        extra.every((one) => isRow(one) && typeof one["name"] === "string" && fits(shape.extra, one["entry"]))
      );
    }
    case "list": {
      const { rows } = kept;
      return (
        kind === "list" && Array.isArray(rows) && rows.every((row) => isRow(row) && fits(shape.item, row["entry"]))
      );
    }
    case "boolean":
      return kind === "boolean" && (value === null || typeof value === "boolean");
    case "choice":
      return kind === "choice" && (value === null || shape.choices.some((one) => one.value === value));
    case "file":
      return kind === "files" && Array.isArray(kept["files"]) && kept["files"].every(isFile);
    case "variants": {
      const { chosen, entries } = kept;
      return (
        kind === "variants" &&
        isRecord(entries) &&
        (chosen === null || (typeof chosen === "number" && Object.hasOwn(entries, chosen))) &&
        Object.entries(entries).every(([index, one]) => {
          const variant = shape.variants[Number(index)];
          return variant !== undefined && fits(variant.shape, one);
        })
      );
    }
    case "constant":
    case "content":
      return kind === "none";
    default:
      return kind === "text" && typeof kept["text"] === "string" && isGiven(kept["given"]);
  }
}

const isGiven = (given: unknown) => given === undefined || typeof given === "string";

const isRow = (one: unknown): one is Record<string, unknown> => isRecord(one) && typeof one["id"] === "number";

function isFile(one: unknown): boolean {
  if (!isRecord(one)) return false;
  const { id, name, size, type, uploadUrl, changedAt, isDeleted } = one;
  const isTextOrNull = (value: unknown) => value === null || typeof value === "string";
  const hasSize = size === null || typeof size === "number";
  const hasState = isDeleted === undefined || typeof isDeleted === "boolean";
  const hasTime = changedAt === undefined || typeof changedAt === "number";
  const isNamed = typeof id === "string" && isTextOrNull(name);
  return isNamed && typeof type === "string" && hasSize && hasTime && isTextOrNull(uploadUrl) && hasState;
}
