/** Limits the size of a page while its items are read: a thousand items of 1 MiB would fill the memory. */
import { MEBIBYTE } from "../encoding/bytes.ts";
import { minJsonLength } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";

/** Characters of all items of a page as JSON. A page of one item may have more. */
const MAX_PAGE_CHARS = 16 * MEBIBYTE;
/** Items to read at once. */
export const ITEMS_PER_READ = 50;

export interface PageSize {
  /** Adds an item, if the page has room for it. */
  add(item: unknown): boolean;
  /** @throws StepwellError `invalid` if the page has no room for the item */
  require(item: unknown): void;
}

/** Lengths of documents, which the store shares frozen: lists are read again and again. */
const known = new WeakMap<object, number>();

function lengthOf(item: unknown): number {
  if (typeof item !== "object" || item === null || !Object.isFrozen(item)) return minJsonLength(item, MAX_PAGE_CHARS);
  const before = known.get(item);
  if (before !== undefined) return before;
  const length = minJsonLength(item, MAX_PAGE_CHARS);
  known.set(item, length);
  return length;
}

export function createPageSize(): PageSize {
  let items = 0;
  let chars = 0;

  function add(item: unknown): boolean {
    chars += lengthOf(item);
    if (items > 0 && chars > MAX_PAGE_CHARS) return false;
    items++;
    return true;
  }

  return {
    add,
    require(item) {
      if (add(item)) return;
      const message = `The first ${items + 1} items exceed ${MAX_PAGE_CHARS} characters. Request fewer items, such as ${items}.`;
      throw invalid([{ in: "query", pointer: "/take", message }]);
    },
  };
}
