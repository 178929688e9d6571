/** Where a page of a list ends, as text. Pure. */

/** A place in the order of a list. */
export interface Position {
  readonly order: string;
  readonly id: string;
}

/** Formats a cursor: the ID, followed by the order if it differs. IDs contain no colon. */
export function formatPosition({ order, id }: Position): string {
  return order === id ? id : `${id}:${order}`;
}

/** Every text is a valid cursor. One that was never issued still has a place in the order. */
export function parsePosition(text: string): Position {
  const colon = text.indexOf(":");
  return colon === -1 ? { order: text, id: text } : { order: text.slice(colon + 1), id: text.slice(0, colon) };
}

export function comparePositions(one: Position, other: Position): number {
  return compare(one.order, other.order) || compare(one.id, other.id);
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
