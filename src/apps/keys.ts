/** API keys: issued once, stored as a hash, verified with each request. */

import type { VerifiedKey } from "../calls/identify-bearer.ts";
import { deleteAllListed, listPage, type PageQuery, updateDocument } from "../documents/documents.ts";
import type { Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { notFound } from "../errors.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Key as DocumentKey, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { atMoment } from "../time/system-clock.ts";
import type { IssuedKey, Key, KeyCreate } from "./key.ts";
import { createKeyUses } from "./key-uses.ts";
import { createWatches, type Watches } from "./watches.ts";

export interface Keys {
  /** Returns the key itself, which is not stored and which no later call returns. */
  create(appId: string, input: KeyCreate, receipt: Receipt): Promise<IssuedKey>;
  list(appId: string, query: PageQuery): Promise<Page<Key>>;
  /** @throws StepwellError `not_found` */
  get(appId: string, keyId: string): Promise<Key>;
  /** Revokes a key at once. */
  remove(appId: string, keyId: string): Promise<void>;
  /** Deletes the keys of a deleted app. */
  deleteAll(appId: string, isStopped: () => boolean): Promise<void>;
  /** Returns the key of a bearer token; null if it is unknown, wrong, expired or revoked. */
  verify(token: string): Promise<VerifiedKey | null>;
  /**
   * Aborts the controller when the key is revoked, expires or does not exist. Stops watching when the controller is aborted.
   * For responses that outlast the verification of their key.
   */
  watch(keyId: string, controller: AbortController): Promise<void>;
}

/** A key as stored: the public fields and the hash of the secret part. */
type KeyDocument = Omit<Key, "last_used_at"> & {
  readonly hash: string;
  /** Absent if it was never used. */
  readonly last_used_at?: string;
};

/** `sw_`, the part after `key_` of the key's id, `_`, and 40 secret characters (206 bits). */
const TOKEN = /^sw_([0-9a-z]{26})_([0-9a-z]{40})$/;
const SECRET_CHARS = 40;
/** Compared with if the key does not exist, so that the response takes as long as for a wrong key. */
const NO_HASH = "0".repeat(64);

const listOf = (appId: string) => `keys.${appId}`;
const keyOf = (keyId: string): DocumentKey => `key:${keyId}`;
const publicFields = ({ hash: _, last_used_at, ...key }: KeyDocument): Key => ({
  ...key,
  last_used_at: last_used_at ?? null,
});

function deletionOf({ app_id, id }: KeyDocument, version: number): Change {
  return { key: keyOf(id), document: null, expected: version, rows: [{ list: listOf(app_id), delete: id }] };
}

export function createKeys(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  /** @default Those of this process. */
  watches?: Watches;
}): Keys {
  const { store, clock, ids, hash, watches = createWatches(parts) } = parts;
  const uses = createKeyUses(parts);

  return {
    async watch(keyId, controller) {
      const found = await watches.watch<KeyDocument>(keyOf(keyId), controller);
      const expires = found?.expires_at ?? null;
      if (expires === null || controller.signal.aborted) return;
      const cancelTimer = atMoment(clock, Date.parse(expires), () => controller.abort());
      controller.signal.addEventListener("abort", cancelTimer, { once: true });
    },

    async create(appId, input, receipt) {
      if (input.expires_at !== undefined && Date.parse(input.expires_at) <= clock.now()) {
        throw invalid([{ pointer: "/expires_at", message: "Must be in the future." }]);
      }
      const id = ids.next("key");
      const secret = ids.random(SECRET_CHARS);
      const key = {
        id,
        app_id: appId,
        name: input.name,
        scopes: input.scopes ?? null,
        expires_at: input.expires_at ?? null,
        created_at: instant(clock.now()),
      };
      const document: KeyDocument = { ...key, hash: hash.sha256(secret) };
      const issued: IssuedKey = { ...key, last_used_at: null, key: `sw_${id.slice("key_".length)}_${secret}` };
      await store.commit([
        { key: keyOf(id), document, rows: [{ list: listOf(appId), put: { id } }] },
        ...receipt(issued),
      ]);
      return issued;
    },

    list: (appId, query) => listPage<KeyDocument, Key>(store, listOf(appId), query, keyOf, publicFields),

    async get(appId, keyId) {
      const found = await store.get<KeyDocument>(keyOf(keyId));
      if (found === null || found.document.app_id !== appId) throw notFound("key", keyId);
      return publicFields(found.document);
    },

    async remove(appId, keyId) {
      await updateDocument<KeyDocument, void>(store, keyOf(keyId), (found) => {
        if (found === null || found.document.app_id !== appId) throw notFound("key", keyId);
        return { changes: [deletionOf(found.document, found.version)], result: undefined };
      });
      watches.end(keyOf(keyId));
    },

    deleteAll: (appId, isStopped) => deleteAllListed<KeyDocument>(store, listOf(appId), keyOf, deletionOf, isStopped),

    async verify(token) {
      const [, id, secret] = TOKEN.exec(token) ?? [];
      if (id === undefined || secret === undefined) return null;
      const found = await store.get<KeyDocument>(keyOf(`key_${id}`));
      const isMatch = hash.equal(hash.sha256(secret), found?.document.hash ?? NO_HASH);
      if (!isMatch || found === null) return null;
      const { expires_at } = found.document;
      if (expires_at !== null && Date.parse(expires_at) <= clock.now()) return null;
      uses.note(keyOf(found.document.id), found.document);
      const { id: keyId, name, app_id, scopes } = found.document;
      return { id: keyId, name, app_id, scopes, expires_at };
    },
  };
}
