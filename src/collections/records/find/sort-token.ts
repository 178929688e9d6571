/**
 * Page tokens of sorted lists: the position after the last record, and a digest of the sort. With another sort, the position
 * would mean another place, and the list would leave out records.
 */
import { invalid } from "../../../messages/field-errors.ts";
import type { Hash } from "../../../ports/hash.ts";
import type { Sort } from "./record-query.ts";

const DIGEST_CHARS = 8;

export interface SortTokens {
  /** @param position As in `ListQuery.after`. */
  tokenOf(position: string): string;
  /** @throws StepwellError `invalid` for the token of a list with another sort */
  positionOf(token: string): string;
}

/** @param sort Undefined for a list in order of creation, whose positions are ids. */
export function createSortTokens({ sha256 }: Pick<Hash, "sha256">, sort: Sort | undefined): SortTokens {
  if (sort === undefined) {
    return {
      tokenOf: (position) => position,
      positionOf(token) {
        if (token.includes(":")) throw wrongToken();
        return token;
      },
    };
  }
  const digest = sha256(`${sort.descending ? "-" : ""}${sort.field}`).slice(0, DIGEST_CHARS);
  return {
    tokenOf(position) {
      const end = position.indexOf(":") + 1;
      return `${position.slice(0, end)}${digest}${position.slice(end)}`;
    },
    positionOf(token) {
      const end = token.indexOf(":") + 1;
      if (end === 0 || !token.startsWith(digest, end)) throw wrongToken();
      return `${token.slice(0, end)}${token.slice(end + DIGEST_CHARS)}`;
    },
  };
}

const wrongToken = () =>
  invalid([
    { in: "query", pointer: "/page_token", message: "Must be the next page token of a list with the same sort." },
  ]);
