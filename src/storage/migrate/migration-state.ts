/** What a target says of its migration: where it comes from, and how far it is. Every batch is committed with it. */
import { StepwellError } from "../../errors.ts";
import type { Key, Store } from "../../ports/store.ts";
import type { ContentWrite, RowPlace } from "../../ports/store-contents.ts";

export const MIGRATION_KEY: Key = "migration:state";

/** What a store contains, in numbers. */
export interface Fingerprint {
  readonly documents: number;
  /** Number of lists with rows. */
  readonly lists: number;
  readonly rows: number;
  /** Number of files, with partial uploads, and their size in bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly digest: string;
}

export interface MigrationState {
  readonly status: "unfinished" | "finished";
  /** The contents of the source. */
  readonly source: Fingerprint;
  readonly phase: "documents" | "rows" | "checking";
  /** Key of the last document that was copied. */
  readonly document: string | null;
  /** The last row that was looked at. */
  readonly row: RowPlace | null;
  /** Number of documents, and of rows, that were copied or looked at. */
  readonly documents: number;
  readonly rows: number;
}

export const stateWrite = (state: MigrationState, version: number): ContentWrite => ({
  key: MIGRATION_KEY,
  version,
  json: JSON.stringify(state),
  rows: [],
});

/**
 * A store for a service, which must not work on a part of the data. It asks once, before its first answer.
 * @returns The store, whose calls reject with `unavailable` as long as a migration to it is unfinished
 */
export function refuseUnfinished(store: Store): Store {
  let isChecked = false;
  let checking: Promise<void> | null = null;

  async function check(): Promise<void> {
    const found = await store.get<MigrationState>(MIGRATION_KEY);
    if (found?.document.status === "unfinished") throw unfinishedError();
    isChecked = true;
  }

  function checkOnce(): Promise<void> {
    checking ??= check().catch((error) => {
      checking = null;
      throw error;
    });
    return checking;
  }

  const checked = <T>(work: () => Promise<T>): Promise<T> => (isChecked ? work() : checkOnce().then(work));

  return {
    get isFailing() {
      return store.isFailing;
    },
    get isLost() {
      return store.isLost;
    },
    isVolatile: store.isVolatile,
    probe: () => checked(() => store.probe()),
    get: (key) => checked(() => store.get(key)),
    getMany: (keys) => checked(() => store.getMany(keys)),
    getText: (key, maxChars) => checked(() => store.getText(key, maxChars)),
    commit(changes) {
      if (isChecked) return store.commit(changes);
      // Copied before the check, because the caller may modify its objects meanwhile.
      const copies = structuredClone(changes);
      return checked(() => store.commit(copies));
    },
    list: (name, query) => checked(() => store.list(name, query)),
    totals: (names) => checked(() => store.totals(names)),
    listDocuments: (name, query, keyOf) => checked(() => store.listDocuments(name, query, keyOf)),
    close: (timeUp) => store.close(timeUp),
  };
}

function unfinishedError(): StepwellError {
  const message =
    "This storage contains an unfinished migration. Run the same migration again to finish it, or delete the storage.";
  return new StepwellError("unavailable", message);
}
