/** The documents. */
import { LRUCache } from "lru-cache";
import { MEBIBYTE } from "../../../src/encoding/bytes.ts";
import { decodeInParts, hashInParts, type Pause } from "../../../src/encoding/long-text.ts";
import { damaged } from "../../../src/errors.ts";
import type { Document, Stored } from "../../../src/ports/store.ts";
import { conflictError } from "../../../src/storage/commits/conflict-error.ts";
import type { DocumentWrite, Expectation } from "../../../src/storage/commits/prepare-changes.ts";
import { deepFreeze } from "../../../src/storage/documents/deep-freeze.ts";
import { nodeHash } from "../../crypto/node-hash.ts";
import type { Database, SqlRow } from "./database.ts";

export interface StoredWithKey extends Stored<Document> {
  readonly key: string;
}

export interface DocumentTable {
  read(key: string): Stored<Document> | null;
  /**
   * Returns the JSON text of a document, or its start. Null if there is none.
   * @param pause Called between the parts of a long text.
   * @throws StepwellError `unavailable` if the document is damaged
   */
  readText(key: string, maxChars: number | undefined, pause: Pause): Promise<string | null>;
  /** The documents whose keys come after this one. Empty at the end. */
  page(after: string): readonly StoredWithKey[];
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
const MAX_PAGE = 100;

function checksumOf(key: string, version: number, json: string): string {
  return nodeHash.sha256(`${key} ${version} ${json}`).slice(0, CHECKSUM_CHARS);
}

/** @throws StepwellError `unavailable` if the document is damaged */
function storedIn(key: string, row: SqlRow): Stored<Document> {
  const version = Number(row["version"]);
  const json = String(row["json"]);
  if (row["checksum"] !== checksumOf(key, version, json)) throw damaged(key, "The document");
  const document: object = JSON.parse(json);
  return { version, document: deepFreeze(document) };
}

/** Like {@link checksumOf}, of the bytes of the text. */
async function checksumInParts(key: string, version: number, json: Uint8Array, pause: Pause): Promise<string> {
  const digest = nodeHash.stream();
  digest.update(new TextEncoder().encode(`${key} ${version} `));
  return (await hashInParts(digest, json, pause)).slice(0, CHECKSUM_CHARS);
}

/** A character has at most three bytes, or is a pair of characters with four. */
const MAX_BYTES_PER_CHAR = 3;

async function textOf(json: Uint8Array, maxChars: number | undefined, pause: Pause): Promise<string> {
  if (maxChars === undefined) return decodeInParts(json, pause);
  return (await decodeInParts(json.subarray(0, (maxChars + 1) * MAX_BYTES_PER_CHAR), pause)).slice(0, maxChars);
}

export function createDocumentTable(database: Database): DocumentTable {
  const select = database.prepare("SELECT version, json, checksum FROM document WHERE key = ?");
  const selectPage = database.prepare(
    `SELECT key, version, json, checksum FROM document WHERE key > ? ORDER BY key LIMIT ${MAX_PAGE}`,
  );
  const selectBytes = database.prepare(
    "SELECT version, CAST(json AS BLOB) AS json, checksum FROM document WHERE key = ?",
  );
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
      const stored = storedIn(key, row);
      objects.set(key, stored, { size: String(row["json"]).length });
      return stored;
    },

    async readText(key, maxChars, pause) {
      const { version, json, checksum } = selectBytes.get(key) ?? {};
      if (!(json instanceof Uint8Array)) return null;
      if ((await checksumInParts(key, Number(version), json, pause)) !== checksum) throw damaged(key, "The document");
      return textOf(json, maxChars, pause);
    },

    page: (after) =>
      selectPage.all(after).map((row) => ({ key: String(row["key"]), ...storedIn(String(row["key"]), row) })),

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
