/** Puts errors of the server to the fields they are about. Pure. */

import { pointerNames } from "../../encoding/json-pointer.ts";
import { pointer } from "../../json.ts";
import { chosenEntry, type Entry, isEmptyRow } from "./entry.ts";
import type { FormModel, Shape } from "./form-model.ts";

/** An error, as the server reports it. */
interface PointedError {
  /** JSON Pointer into what was sent. */
  readonly pointer: string;
  readonly message: string;
}

export interface PlacedError {
  /** JSON Pointer of the control, with the row of a list as the form shows it; null if no control is about it. */
  readonly place: string | null;
  /** Labels of the field and of the fields that it is in, such as `["Items", "2", "Price"]`. */
  readonly labels: readonly string[];
  readonly message: string;
}

/**
 * @param base Pointer of the values of the form in what was sent, such as `/input`.
 * @param options.countsEmptyRows Whether pointers count all rows of lists. Those of the server count what was sent: rows
 * that are empty were not.
 */
export function placeErrors(
  model: FormModel,
  values: Entry,
  errors: readonly PointedError[],
  base = "",
  { countsEmptyRows = false }: { readonly countsEmptyRows?: boolean } = {},
): readonly PlacedError[] {
  return errors.map(({ pointer: target, message }) => {
    if (target !== base && !target.startsWith(`${base}/`))
      return { place: null, labels: target === "" ? [] : [target], message };
    const parts = pointerNames(target.slice(base.length));
    const { path, labels, rest } = placeOf(model, values, parts, countsEmptyRows);
    const place = path.length === 0 ? null : pointer(path);
    return { place, labels: rest.length > 0 ? [...labels, rest.join(".")] : labels, message };
  });
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly labels: readonly string[];
  /** What no control is for. */
  readonly rest: readonly string[];
}

function placeOf(shape: Shape, entry: Entry | undefined, parts: readonly string[], countsEmptyRows: boolean): Place {
  const [part, ...others] = parts;
  const here: Place = { path: [], labels: [], rest: parts };
  if (part === undefined) return here;
  if (shape.kind === "object" && entry?.kind === "object") {
    const field = shape.fields.find(({ key }) => key === part);
    if (field !== undefined && !field.isHidden && hasControl(field.shape, entry.fields[part])) {
      const below = placeOf(field.shape, entry.fields[part], others, countsEmptyRows);
      return { path: [part, ...below.path], labels: [field.label, ...below.labels], rest: below.rest };
    }
    const extra = entry.extra.find(({ name }) => name === part);
    if (extra === undefined) return here;
    const below = placeOf(shape.extra, extra.entry, others, countsEmptyRows);
    return { path: [part, ...below.path], labels: [part, ...below.labels], rest: below.rest };
  }
  if (shape.kind === "variants" && entry?.kind === "variants") {
    const variant = entry.chosen === null ? undefined : shape.variants[entry.chosen];
    return variant === undefined ? here : placeOf(variant.shape, chosenEntry(entry), parts, countsEmptyRows);
  }
  if (shape.kind === "list" && entry?.kind === "list") {
    const row = countsEmptyRows ? Number(part) : rowOf(entry.rows, Number(part));
    if (entry.rows[row] === undefined) return here;
    const below = placeOf(shape.item, entry.rows[row]?.entry, others, countsEmptyRows);
    return { path: [row, ...below.path], labels: [String(row + 1), ...below.labels], rest: below.rest };
  }
  return here;
}

/** A constant is shown only where the value is another one. */
const hasControl = (shape: Shape, entry: Entry | undefined) => shape.kind !== "constant" || entry?.kind === "raw";

/** Rows that are empty were not sent. */
function rowOf(rows: readonly { readonly entry: Entry }[], index: number): number {
  let sent = -1;
  return rows.findIndex(({ entry }) => !isEmptyRow(entry) && ++sent === index);
}

/** What is entered at a place. It stays the same object while nobody changes it. */
export function entryAt(values: Entry, place: string): Entry | undefined {
  let entry: Entry | undefined = values;
  for (const part of pointerNames(place)) {
    while (entry?.kind === "variants") entry = chosenEntry(entry);
    if (entry?.kind === "list") entry = entry.rows[Number(part)]?.entry;
    else if (entry?.kind !== "object") return undefined;
    else if (Object.hasOwn(entry.fields, part)) entry = entry.fields[part];
    else entry = entry.extra.find(({ name }) => name === part)?.entry;
  }
  return entry;
}

/** The messages by the places of their controls. */
export function messagesByPlace(placed: readonly PlacedError[]): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  for (const { place, message } of placed) {
    if (place === null) continue;
    const known = messages.get(place);
    messages.set(place, known === undefined ? message : `${known} ${message}`);
  }
  return messages;
}
