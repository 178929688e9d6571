/**
 * The names of all stored lists, as a list of its own. A list that it names and whose root is missing is lost, not empty. Of
 * a list that it does not name, or names as empty, the root does not count: it may be removed, and an earlier owner may still
 * write it.
 */
import { CATALOG } from "../keys.ts";
import { deleteRow, leafRows, putRow, type RowTree } from "./row-tree.ts";

export interface ListCatalog {
  /** What the root of a list means. */
  find(name: string): Promise<RootMeaning>;
  /** Whether it names any list, which includes itself. */
  hasAny(): Promise<boolean>;
  /** Names of lists with stored leaves that an earlier owner could not delete. */
  listObsolete(): Promise<readonly string[]>;
  /** Names of lists that may have rows, with its own. */
  listFilled(): Promise<readonly string[]>;
  /** Names of lists that were empty when they were stored. */
  listEmpty(): Promise<readonly string[]>;
  /**
   * Notes that a list is stored.
   * @returns Whether the catalog has changed and must be stored.
   */
  note(name: string, state: ListState): Promise<boolean>;
  /** Removes the name of an empty list. */
  forget(name: string): Promise<void>;
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

/** The rows of the catalog. */
interface Names {
  /** The marks of each list. */
  readonly all: Map<string, readonly string[]>;
  /** The lists with a mark. A checkpoint asks for them, so it does not search all lists. */
  readonly obsolete: Set<string>;
  readonly empty: Set<string>;
}

function setMarks({ all, obsolete, empty }: Names, name: string, marks: readonly string[]): void {
  all.set(name, marks);
  obsolete.delete(name);
  empty.delete(name);
  if (marks.includes(OBSOLETE_LEAVES)) obsolete.add(name);
  if (marks.includes(EMPTY)) empty.add(name);
}

/** @param load Loads the rows of the catalog. */
export function createListCatalog(load: () => Promise<RowTree>): ListCatalog {
  let reading: Promise<Names> | null = null;

  function read(): Promise<Names> {
    reading ??= load().then(
      ({ leaves }) => {
        const names: Names = { all: new Map(), obsolete: new Set(), empty: new Set() };
        for (const { id, marks = [] } of leaves.flatMap(leafRows)) setMarks(names, id, marks);
        return names;
      },
      (error) => {
        reading = null;
        throw error;
      },
    );
    return reading;
  }

  return {
    async find(name) {
      const { all } = await read();
      const marks = all.get(name);
      if (marks !== undefined) return marks.includes(EMPTY) ? "is empty" : "has rows";
      return all.has(CATALOG) ? "is empty" : "unknown";
    },

    hasAny: async () => (await read()).all.size > 0,
    listObsolete: async () => [...(await read()).obsolete],
    async listFilled() {
      const { all, empty } = await read();
      return [...all.keys()].filter((name) => !empty.has(name));
    },
    listEmpty: async () => [...(await read()).empty],

    async note(name, state) {
      const names = await read();
      const marks = marksOf(state);
      if (names.all.get(name)?.join() === marks.join()) return false;
      putRow(await load(), { id: name, marks });
      setMarks(names, name, marks);
      return true;
    },

    async forget(name) {
      const names = await read();
      deleteRow(await load(), name);
      setMarks(names, name, []);
      names.all.delete(name);
    },
  };
}
