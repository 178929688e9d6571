/** A part of all entries of a leaf. While it is the same for all of them, memory has it once. Pure. */

/** One value for all entries, or one for each. Empty if the entries don't have this part. */
export type UniformColumn<Value> = Value[];

export const createColumn = <Value>(): UniformColumn<Value> => [];

export function valueAt<Value>(column: UniformColumn<Value>, index: number): Value | undefined {
  return column.length === 1 ? column[0] : column[index];
}

/** Adds the value of a new entry. @param count Number of entries before. */
export function insertValue<Value>(column: UniformColumn<Value>, count: number, index: number, value: Value): void {
  if (count > 0 && column.length === 1 && column[0] === value) return;
  expand(column, count);
  if (index === count) column.push(sharedValue(column, index, value));
  else column.splice(index, 0, sharedValue(column, index, value));
}

/** The same value of a neighbor, so that memory has its text once. */
function sharedValue<Value>(column: UniformColumn<Value>, index: number, value: Value): Value {
  const before = column[index - 1];
  if (before !== undefined && before === value) return before;
  const after = column[index];
  return after !== undefined && after === value ? after : value;
}

/** Gives an entry another value. @param count Number of entries. */
export function replaceValue<Value>(column: UniformColumn<Value>, count: number, index: number, value: Value): void {
  if (valueAt(column, index) === value) return;
  expand(column, count);
  column[index] = value;
}

/** Removes the value of an entry. @param count Number of entries before. */
export function removeValue<Value>(column: UniformColumn<Value>, count: number, index: number): void {
  if (column.length !== 1 || count === 1) column.splice(index, 1);
}

/** Removes the values of the entries from an index on. Returns them. Both columns may be uniform then. */
export function removeValues<Value>(column: UniformColumn<Value>, start: number): UniformColumn<Value> {
  if (column.length === 1) return [...column];
  const removed = column.splice(start);
  collapse(column);
  collapse(removed);
  return removed;
}

/** Adds the values of the entries behind the last one. @param count Number of entries before. @param added Number of others. */
export function appendColumn<Value>(
  column: UniformColumn<Value>,
  count: number,
  others: UniformColumn<Value>,
  added: number,
): void {
  if (column.length === 1 && others.length === 1 && column[0] === others[0]) return;
  if (others.length === 0) return;
  expand(column, count);
  for (let index = 0; index < added; index++) {
    const value = valueAt(others, index);
    if (value !== undefined) column.push(value);
  }
}

/** Keeps one value if all are the same. */
export function collapse<Value>(column: UniformColumn<Value>): void {
  const [first] = column;
  if (column.length > 1 && column.every((value) => value === first)) column.length = 1;
}

function expand<Value>(column: UniformColumn<Value>, count: number): void {
  const [first] = column;
  if (first === undefined || column.length !== 1) return;
  while (column.length < count) column.push(first);
}
