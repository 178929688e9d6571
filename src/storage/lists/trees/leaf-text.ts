/** Leaves as stored: JSON of the columns, in which repeated texts appear once. Pure. */
import { isRecord } from "../../../json.ts";
import {
  isSharedStarts,
  type SharedStarts,
  withoutSharedStarts,
  withSharedStarts,
} from "../../driver/shared-starts.ts";
import { keyOf, positionOf } from "../row-key.ts";
import { type Columns, createColumns, markAt, marksAt, NO_MARKS, type TreeKind, textAt } from "./columns.ts";
import { collapse } from "./uniform-column.ts";

/** What is absent is empty. */
interface LeafRecord {
  readonly kind: TreeKind;
  /** Absent if every order is the ID. Orders begin with {@link OWN_ORDER}. Empty for a row whose order is its ID. */
  readonly order?: SharedStarts | undefined;
  readonly id: SharedStarts;
  readonly text?: readonly string[] | undefined;
  /** For trees by mark: each mark, followed by the number of its entries. */
  readonly mark?: Runs<string> | undefined;
  /** For rows: all marks that occur. */
  readonly names?: readonly string[] | undefined;
  /** For rows: all combinations of marks that occur, as indexes of `names`. */
  readonly sets?: readonly (readonly number[])[] | undefined;
  /** For rows: the index of a combination, followed by the number of rows that have it. */
  readonly marks?: Runs<number> | undefined;
}

/** Each value, followed by the number of times that it comes in a row. */
type Runs<Value> = readonly (Value | number)[];

const OWN_ORDER = "=";

export function formatLeaf(columns: Columns): string {
  const { kind, key } = columns;
  const positions = key.map(positionOf);
  const texts = key.map((_, index) => textAt(columns, index));
  const record: LeafRecord = {
    kind,
    order: positions.every(({ order, id }) => order === id)
      ? undefined
      : withoutSharedStarts(positions.map(({ order, id }) => (order === id ? "" : OWN_ORDER + order))),
    id: withoutSharedStarts(positions.map(({ id }) => id)),
    text: texts.every((one) => one === "") ? undefined : texts,
    mark: kind === "marks" ? runsOf(key.map((_, index) => markAt(columns, index))) : undefined,
    ...combinationsOf(key.map((_, index) => marksAt(columns, index))),
  };
  return JSON.stringify(record);
}

function runsOf<Value>(values: readonly Value[]): Runs<Value> {
  const runs: (Value | number)[] = [];
  let start = 0;
  for (const [index, value] of values.entries()) {
    if (index + 1 < values.length && values[index + 1] === value) continue;
    runs.push(value, index + 1 - start);
    start = index + 1;
  }
  return runs;
}

function* valuesOf<Value>(runs: Runs<Value>): Generator<Value | number> {
  for (let at = 0; at < runs.length; at += 2) {
    const value = runs[at];
    if (value === undefined) return;
    for (let left = Number(runs[at + 1]); left > 0; left--) yield value;
  }
}

type Combinations = Pick<LeafRecord, "names" | "sets" | "marks">;
const NO_COMBINATIONS: Combinations = {};

function combinationsOf(marksOfRows: readonly (readonly string[])[]): Combinations {
  if (marksOfRows.every((own) => own.length === 0)) return NO_COMBINATIONS;
  const names = new Map<string, number>();
  const sets = new Map<string, number>();
  const marks = marksOfRows.map((own) => indexIn(sets, own.map((mark) => indexIn(names, mark)).join()));
  const indexes = [...sets.keys()].map((set) => (set === "" ? [] : set.split(",").map(Number)));
  return { names: [...names.keys()], sets: indexes, marks: runsOf(marks) };
}

function indexIn(known: Map<string, number>, text: string): number {
  const index = known.get(text) ?? known.size;
  known.set(text, index);
  return index;
}

/** Returns the content of a leaf; null if the value is none. */
export function parseLeaf(value: unknown): Columns | null {
  if (!isLeafRecord(value)) return null;
  const columns = createColumns(value.kind);
  const { names = [], sets = [], marks = [], mark = [] } = value;
  const ids = withSharedStarts(value.id);
  const orders = value.order === undefined ? [] : withSharedStarts(value.order);
  for (const [index, id] of ids.entries()) {
    const { [index]: order = "" } = orders;
    columns.key.push(keyOf({ order: order === "" ? id : order.slice(OWN_ORDER.length), id }));
  }
  for (const one of valuesOf(mark)) columns.mark.push(String(one));
  if (value.kind === "rows") {
    // Rows with the same marks share one array.
    const arrays = sets.map((set) => (set.length === 0 ? NO_MARKS : set.map((index) => names[index] ?? "")));
    for (const set of valuesOf(marks)) columns.marks.push(arrays[set] ?? NO_MARKS);
    for (let row = 0; row < ids.length; row++) columns.text.push(value.text?.[row] ?? "");
    if (columns.marks.length === 0 && ids.length > 0) columns.marks.push(NO_MARKS);
  }
  collapse(columns.mark);
  collapse(columns.text);
  collapse(columns.marks);
  return columns;
}

/** The checksum proves that the value is intact. This checks that it is a leaf. */
function isLeafRecord(value: unknown): value is LeafRecord {
  return isRecord(value) && typeof value["kind"] === "string" && isSharedStarts(value["id"]);
}
