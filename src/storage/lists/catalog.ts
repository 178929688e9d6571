/** The names of all stored lists, as a list of its own: a list whose root is missing is lost, not empty. */
import { leafRows, putRow, type RowTree } from "./row-tree.ts";

export interface ListCatalog {
  /** Whether it names this list. */
  has(name: string): Promise<boolean>;
  /** Whether it names any list. */
  hasAny(): Promise<boolean>;
  /** Names of lists with stored leaves that an earlier owner could not delete. */
  listObsolete(): Promise<readonly string[]>;
  /**
   * Notes that a list is stored.
   * @param hasObsolete Whether its root names leaves that could not be deleted.
   * @returns Whether the catalog has changed and must be stored.
   */
  note(name: string, hasObsolete: boolean): Promise<boolean>;
}

/** The mark of a list whose root names leaves that could not be deleted. */
const OBSOLETE_LEAVES = "obsolete-leaves";

/** @param load Loads the rows of the catalog. */
export function createListCatalog(load: () => Promise<RowTree>): ListCatalog {
  interface Names {
    readonly all: Set<string>;
    readonly obsolete: Set<string>;
  }
  let reading: Promise<Names> | null = null;

  function read(): Promise<Names> {
    reading ??= load().then(
      ({ leaves }) => {
        const rows = leaves.flatMap(leafRows);
        const obsolete = rows.filter(({ marks }) => marks?.includes(OBSOLETE_LEAVES));
        return { all: new Set(rows.map(({ id }) => id)), obsolete: new Set(obsolete.map(({ id }) => id)) };
      },
      (error) => {
        reading = null;
        throw error;
      },
    );
    return reading;
  }

  return {
    has: async (name) => (await read()).all.has(name),
    hasAny: async () => (await read()).all.size > 0,
    listObsolete: async () => [...(await read()).obsolete],

    async note(name, hasObsolete) {
      const { all, obsolete } = await read();
      if (all.has(name) && obsolete.has(name) === hasObsolete) return false;
      putRow(await load(), hasObsolete ? { id: name, marks: [OBSOLETE_LEAVES] } : { id: name });
      all.add(name);
      if (hasObsolete) obsolete.add(name);
      else obsolete.delete(name);
      return true;
    },
  };
}
