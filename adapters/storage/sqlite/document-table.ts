/** The documents. */
import { LRUCache } from "lru-cache";
import { MEBIBYTE } from "../../../src/encoding/bytes.ts";
import { damaged } from "../../../src/errors.ts";
import type { Document, Stored } from "../../../src/ports/store.ts";
import { conflictError } from "../../../src/storage/commits/conflict-error.ts";
import type { DocumentWrite, Expectation } from "../../../src/storage/commits/prepare-changes.ts";
import { deepFreeze } from "../../../src/storage/documents/deep-freeze.ts";
import { nodeHash } from "../../crypto/node-hash.ts";
import type { Database } from "./database.ts";

export interface DocumentTable {
  read(key: string): Stored<Document> | null;
  /** @throws StepwellError `conflict` if the document has another version */
  require(expectation: Expectation): void;
  /** @returns The number of the document in the table. Null for one that was deleted. */
  write(write: DocumentWrite): number | null;
  /** Forgets what was written in a transaction that failed. */
  forget(): void;
}

/** Total length of the documents that are kept as objects, in characters. */
const MAX_CACHE_CHARS = 16 * MEBIBYTE;

const CHECKSUM_CHARS = 16;

function checksumOf(key: string, version: number, json: string): string {
  return nodeHash.sha256(`${key} ${version} ${json}`).slice(0, CHECKSUM_CHARS);
}

export function createDocumentTable(database: Database): DocumentTable {
  const select = database.prepare("SELECT version, json, checksum FROM document WHERE key = ?");
  const selectVersion = database.prepare("SELECT version FROM document WHERE key = ?");
  const upsert = database.prepare(
    `INSERT INTO document (key, version, json, checksum) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET version = excluded.version, json = excluded.json, checksum = excluded.checksum RETURNING n`,
  );
  const remove = database.prepare("DELETE FROM document WHERE key = ?");
  /** Documents that were read, frozen. Only one process writes them. */
  const objects = new LRUCache<string, Stored<Document>>({ maxSize: MAX_CACHE_CHARS });

  return {
    read(key) {
      const known = objects.get(key);
      if (known !== undefined) return known;
      const row = select.get(key);
      if (row === undefined || row === null) return null;
      const json = String(row["json"]);
      if (row["checksum"] !== checksumOf(key, Number(row["version"]), json)) throw damaged(key, "The document");
      const document: object = JSON.parse(json);
      const stored = { version: Number(row["version"]), document: deepFreeze(document) };
      objects.set(key, stored, { size: json.length });
      return stored;
    },

    require({ key, expected }) {
      const found = objects.get(key) ?? selectVersion.get(key);
      const version = found === undefined || found === null ? null : Number(found.version);
      if (version !== expected) throw conflictError(key, expected, version);
    },

    write({ key, version, json }) {
      objects.delete(key);
      if (version !== null) return Number(upsert.get(key, version, json, checksumOf(key, version, json))?.["n"]);
      remove.run(key);
      return null;
    },

    forget: () => objects.clear(),
  };
}
