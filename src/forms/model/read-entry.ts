/** Reads what a person has entered, as JSON. Pure. */
import { type JsonValue, ownField, pointer } from "../../json.ts";
import { chosenEntry, type Entry, filesOf, isEmptyRow, type ObjectEntry } from "./entry.ts";
import type { FormModel, ObjectShape, Shape } from "./form-model.ts";
import { type JsonEntryProblem, readJsonEntry } from "./json-entry.ts";
import { isExact, type Notation } from "./notation.ts";

/** What keeps an entry from being read. The server finds what else is wrong. */
export interface FormProblem {
  /** JSON Pointer of the control: rows of lists are counted, also those that are empty. */
  readonly place: string;
  /**
   * `number`: not a number. `precise`: more digits than a number keeps. `json`: not JSON. `deep`: JSON that is nested too
   * deep. `unfinished`: half of a date or a time. `upload`: bytes of a file are missing. `name`: a further value without a
   * name, or with one that is taken.
   */
  readonly code: "number" | JsonEntryProblem | "unfinished" | "upload" | "name";
}

export interface Reading {
  /** Undefined if nothing was entered. */
  readonly value: JsonValue | undefined;
  readonly problems: readonly FormProblem[];
}

/** Uploads that have not ended count as problems, unless `allowsUploads`: the ids of their files are known. */
export interface ReadOptions {
  readonly allowsUploads?: boolean;
}

interface Within extends ReadOptions {
  readonly notation: Notation;
  readonly problems: FormProblem[];
}
type Path = readonly (string | number)[];

export function readForm(model: FormModel, values: Entry, notation: Notation, options: ReadOptions = {}): Reading {
  const within: Within = { ...options, notation, problems: [] };
  const value = readEntry(model, values, [], within);
  return { value, problems: within.problems };
}

export function readEntry(shape: Shape, entry: Entry, path: Path, within: Within): JsonValue | undefined {
  const problem = (code: FormProblem["code"]) => {
    within.problems.push({ place: pointer(path), code });
    return undefined;
  };
  switch (entry.kind) {
    case "none":
      return shape.kind === "constant" ? shape.value : undefined;
    case "boolean":
      return entry.value ?? undefined;
    case "choice":
      return entry.value ?? undefined;
    case "raw":
      return readJson(entry.text, problem);
    case "text":
      if (entry.isUnfinished === true) return problem("unfinished");
      if (entry.text === "") return shape.kind === "text" && shape.keepsEmpty === true ? "" : undefined;
      if (shape.kind === "datetime" && entry.given !== undefined) return entry.given;
      return readText(shape, entry.text, within.notation, problem);
    case "files": {
      const files = filesOf(entry);
      const isPending = files.some(({ uploadUrl }) => uploadUrl !== null);
      if (isPending && within.allowsUploads !== true) problem("upload");
      return files.length === 0 ? undefined : files.map(({ id }) => id);
    }
    case "list": {
      if (shape.kind !== "list") return undefined;
      const values = entry.rows.flatMap((row, index) => {
        const value = isEmptyRow(row.entry) ? undefined : readEntry(shape.item, row.entry, [...path, index], within);
        return value === undefined ? [] : [value];
      });
      return values.length === 0 && entry.isGiven !== true ? undefined : values;
    }
    case "variants": {
      const variant = shape.kind === "variants" && entry.chosen !== null ? shape.variants[entry.chosen] : undefined;
      const chosen = chosenEntry(entry);
      // A variant is no level of the value.
      return variant === undefined || chosen === undefined ? undefined : readEntry(variant.shape, chosen, path, within);
    }
    case "object":
      return shape.kind === "object" ? readObject(shape, entry, path, within) : undefined;
  }
}

function readText(
  shape: Shape,
  text: string,
  notation: Notation,
  problem: (code: FormProblem["code"]) => undefined,
): JsonValue | undefined {
  if (shape.kind === "json") return readJson(text, problem);
  if (shape.kind === "datetime") return notation.toInstant(text) ?? text;
  if (shape.kind !== "number") return text;
  if (text.trim() === "") return undefined;
  const value = notation.parseNumber(text);
  if (value === null) return problem("number");
  return isExact(text, value) ? value : problem("precise");
}

function readObject(shape: ObjectShape, entry: ObjectEntry, path: Path, within: Within): JsonValue {
  const own = shape.fields.flatMap((field): [string, JsonValue][] => {
    const found = ownField(entry.fields, field.key);
    const value = found === undefined ? undefined : readEntry(field.shape, found, [...path, field.key], within);
    if (value !== undefined) return [[field.key, value]];
    if (field.empty === "omitted" || field.shape.kind === "content") return [];
    return [[field.key, field.empty === "null" ? null : []]];
  });
  const taken = new Set(shape.fields.map(({ key }) => key));
  const extra = entry.extra.flatMap(({ name, entry: one }): [string, JsonValue][] => {
    if (name === "" && isEmptyRow(one)) return [];
    if (name === "" || name === "__proto__" || taken.has(name)) {
      within.problems.push({ place: pointer([...path, name]), code: "name" });
      return [];
    }
    taken.add(name);
    const value = readEntry(shape.extra, one, [...path, name], within);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries([...own, ...extra]);
}

function readJson(text: string, problem: (code: JsonEntryProblem) => undefined): JsonValue | undefined {
  if (text.trim() === "") return undefined;
  const read = readJsonEntry(text);
  return "problem" in read ? problem(read.problem) : read.value;
}
