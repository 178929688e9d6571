/**
 * Finds rows by their texts. The index knows every three characters in a row; shorter texts, and those that many rows
 * contain, are found sooner by reading rows in the order of the page.
 */
import type { Database } from "./database.ts";
import type { ListInfo } from "./lists.ts";

/** The shortest text that the index finds, in characters. */
const MIN_CHARS = 3;
/** Rows that are found by the index. If there are more, a page is soon full without it. */
const MAX_FOUND = 2_000;

/** A word of the column `list` that no other list contains. */
export const wordOfList = (n: number) => `#${n}#`;

export interface TextSearch {
  /** What to look for in the index. Null if reading the rows finds a page sooner. */
  matchOf(list: ListInfo, text: string): string | null;
}

export function createTextSearch(database: Database): TextSearch {
  const count = database.prepare(
    `SELECT count(*) AS found FROM (SELECT rowid FROM search WHERE search MATCH ? LIMIT ${MAX_FOUND + 1})`,
  );
  return {
    matchOf(list, text) {
      if ([...text.slice(0, 2 * MIN_CHARS)].length < MIN_CHARS) return null;
      const match = `list : ${phrase(wordOfList(list.n))} AND text : ${phrase(text)}`;
      return Number(count.get(match)?.["found"]) > MAX_FOUND ? null : match;
    },
  };
}

/** Quotes a text, so that nothing in it is an operator. */
const phrase = (text: string) => `"${text.replaceAll('"', '""')}"`;
