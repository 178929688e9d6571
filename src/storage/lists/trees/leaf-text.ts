/** Leaves as stored: JSON of the columns, in which repeated texts appear once. Pure. */
import { isRecord } from "../../../json.ts";
import { keyOf, positionOf } from "../row-key.ts";
import { type Columns, createColumns, markAt, marksAt, NO_MARKS, type TreeKind, textAt } from "./columns.ts";
import { collapse } from "./uniform-column.ts";

/** What is absent is empty. */
interface LeafRecord {
  readonly kind: TreeKind;
  /** Absent if every order is the ID. */
  readonly order?: readonly string[] | undefined;
  readonly id: readonly string[];
  readonly text?: readonly string[] | undefined;
  /** For trees by mark: each mark, followed by the number of its entries. */
  readonly mark?: readonly (string | number)[] | undefined;
  /** For rows: all marks that occur. */
  readonly names?: readonly string[] | undefined;
  /** For rows: all combinations of marks that occur, as indexes of `names`. */
  readonly sets?: readonly (readonly number[])[] | undefined;
  /** For rows: the index of each row's combination. */
  readonly marks?: readonly number[] | undefined;
}

export function formatLeaf(columns: Columns): string {
  const { kind, key } = columns;
  const positions = key.map(positionOf);
  const texts = key.map((_, index) => textAt(columns, index));
  const record: LeafRecord = {
    kind,
    order: positions.every(({ order, id }) => order === id) ? undefined : positions.map(({ order }) => order),
    id: positions.map(({ id }) => id),
    text: texts.every((one) => one === "") ? undefined : texts,
    mark: kind === "marks" ? runsOf(key.map((_, index) => markAt(columns, index))) : undefined,
    ...combinationsOf(key.map((_, index) => marksAt(columns, index))),
  };
  return JSON.stringify(record);
}

function runsOf(marks: readonly string[]): (string | number)[] {
  const runs: (string | number)[] = [];
  let start = 0;
  for (let index = 1; index <= marks.length; index++) {
    if (index < marks.length && marks[index] === marks[start]) continue;
    runs.push(marks[start] ?? "", index - start);
    start = index;
  }
  return runs;
}

type Combinations = Pick<LeafRecord, "names" | "sets" | "marks">;
const NO_COMBINATIONS: Combinations = {};

function combinationsOf(marksOfRows: readonly (readonly string[])[]): Combinations {
  if (marksOfRows.every((own) => own.length === 0)) return NO_COMBINATIONS;
  const names = new Map<string, number>();
  const sets = new Map<string, number>();
  const marks = marksOfRows.map((own) => indexIn(sets, own.map((mark) => indexIn(names, mark)).join()));
  const indexes = [...sets.keys()].map((set) => (set === "" ? [] : set.split(",").map(Number)));
  return { names: [...names.keys()], sets: indexes, marks };
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
  const { id: ids, order: orders = ids, names = [], sets = [], marks = [], mark = [] } = value;
  for (const [index, id] of ids.entries()) columns.key.push(keyOf({ order: orders[index] ?? id, id }));
  for (let at = 0; at < mark.length; at += 2) {
    for (let left = Number(mark[at + 1]); left > 0; left--) columns.mark.push(String(mark[at]));
  }
  if (value.kind === "rows") {
    // Rows with the same marks share one array.
    const arrays = sets.map((set) => (set.length === 0 ? NO_MARKS : set.map((index) => names[index] ?? "")));
    for (let row = 0; row < ids.length; row++) {
      columns.text.push(value.text?.[row] ?? "");
      columns.marks.push(arrays[marks[row] ?? -1] ?? NO_MARKS);
    }
  }
  collapse(columns.mark);
  collapse(columns.text);
  collapse(columns.marks);
  return columns;
}

/** The checksum proves that the value is intact. This checks that it is a leaf. */
function isLeafRecord(value: unknown): value is LeafRecord {
  return isRecord(value) && typeof value["kind"] === "string" && Array.isArray(value["id"]);
}
