/**
 * The names of all stored lists, as a list of its own. A list that it names and whose root is missing is lost, not empty. Of
 * a list that it does not name, or names as empty, the root does not count: it may be removed, and an earlier owner may still
 * write it.
 */
import type { RowChange } from "../../ports/store.ts";
import { CATALOG } from "../keys.ts";

export interface ListCatalog {
  /** What the root of a list means. */
  find(name: string): Promise<RootMeaning>;
  /** Whether it names any list, which includes itself. */
  hasAny(): Promise<boolean>;
  /** Names of lists with stored leaves that an earlier owner could not delete. */
  listObsolete(): Promise<readonly string[]>;
  /** Names of lists that were empty when they were stored. */
  listEmpty(): Promise<readonly string[]>;
  /**
   * Notes that a list is stored.
   * @returns Whether the catalog has changed and must be stored.
   */
  note(name: string, state: ListState): Promise<boolean>;
  /** Removes the name of an empty list. */
  forget(name: string): void;
}

export type RootMeaning =
  /** It contains the rows. */
  | "has rows"
  /** There are no rows, whether or not it exists. */
  | "is empty"
  /** No checkpoint has stored the catalog: the root contains rows if it exists. */
  | "unknown";

export interface ListState {
  /** Whether its root names leaves that could not be deleted. */
  readonly hasObsolete: boolean;
  /** Whether it has no rows, and its root names no leaves. */
  readonly isEmpty: boolean;
}

/** The mark of a list whose root names leaves that could not be deleted. */
const OBSOLETE_LEAVES = "obsolete-leaves";
const EMPTY = "empty";

const marksOf = ({ hasObsolete, isEmpty }: ListState): readonly string[] => [
  ...(hasObsolete ? [OBSOLETE_LEAVES] : []),
  ...(isEmpty ? [EMPTY] : []),
];

/** The catalog as a list. */
export interface CatalogRows {
  /** The marks of a row; null if there is none. */
  marksOf(id: string): Promise<readonly string[] | null>;
  /** The IDs of the rows with a mark. */
  idsWith(mark: string): Promise<readonly string[]>;
  count(): Promise<number>;
  /** Makes a change, which the next save stores. */
  change(change: RowChange): void;
}

export function createListCatalog(rows: CatalogRows): ListCatalog {
  return {
    async find(name) {
      const marks = await rows.marksOf(name);
      if (marks !== null) return isEmptyList(marks) ? "is empty" : "has rows";
      return (await rows.marksOf(CATALOG)) === null ? "unknown" : "is empty";
    },

    hasAny: async () => (await rows.count()) > 0,
    listObsolete: () => rows.idsWith(OBSOLETE_LEAVES),
    listEmpty: () => rows.idsWith(EMPTY),

    async note(name, state) {
      const marks = marksOf(state);
      const before = await rows.marksOf(name);
      if (before?.join() === marks.join()) return false;
      rows.change({ list: CATALOG, put: { id: name, marks } });
      return true;
    },

    forget: (name) => rows.change({ list: CATALOG, delete: name }),
  };
}

/** @param marks Of the list in the catalog. */
export function isEmptyList(marks: readonly string[]): boolean {
  return marks.includes(EMPTY);
}
