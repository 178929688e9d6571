/** Stored sessions of the console, and the addresses that open one once. */
import { updateDocument } from "../documents/documents.ts";
import { type Expiring, expiringRow, notExpiringRow } from "../documents/expiring-documents.ts";
import { isStepwellError, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Document, Key, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { atMoment } from "../time/system-clock.ts";
import { HOUR_MS, SECOND_MS } from "../time/units.ts";
import type { Grant, StoredSession } from "./session.ts";

/** A new session. */
export interface Opened {
  readonly token: string;
  readonly session: StoredSession;
}

export interface Sessions {
  /** @param until When it ends at the latest, ISO 8601; null for no time of its own. */
  create(grant: Grant, until: string | null): Promise<Opened>;
  /** Returns the first one that has not ended, or null. */
  find(tokens: readonly string[]): Promise<StoredSession | null>;
  /** Adds an app to the opened ones. @throws StepwellError `unauthorized` if the session has ended */
  open(session: StoredSession, appId: string): Promise<StoredSession>;
  end(session: StoredSession): Promise<void>;
  /** Aborts the controller when the session ends. Stops watching when the controller is aborted. */
  watch(session: StoredSession, controller: AbortController): Promise<void>;
  /** Returns a token that opens a session once. */
  createOnce(grant: Grant, expiresIn: number): Promise<{ token: string; expires_at: string }>;
  /**
   * @param check Called with what the token opens. What it throws leaves the token as it is.
   * @throws StepwellError `unauthorized` for a token that is unknown, used or expired
   */
  redeem(token: string, check: (grant: Grant) => void): Promise<Opened>;
}

/** What a token stands for that opens a session. */
interface Once extends Expiring {
  readonly grant: Grant;
  readonly proof: string;
}

/** Notifies those who use a document when it is deleted, in any process. */
interface Watches {
  watch<T extends Document>(key: Key, controller: AbortController): Promise<T | null>;
  end(key: Key): void;
}

/** More than 256 bits. */
const TOKEN_CHARS = 50;
const LIFETIME_MS = 12 * HOUR_MS;
/** More apps than somebody has open at the same time. */
const MAX_OPENED = 20;

/** @param parts.adminDigest Digest of the admin key; empty for none. */
export function createSessions(parts: {
  store: Store;
  clock: Clock;
  ids: Pick<Ids, "random">;
  hash: Hash;
  watches: Watches;
  adminDigest: string;
}): Sessions {
  const { store, clock, ids, hash, watches, adminDigest } = parts;
  const keyOf = (id: string): Key => `console_session:${id}`;
  const onceKey = (token: string): Key => `console_once:${hash.sha256(token)}`;
  const proofFor = (token: string, { kind }: Grant) => (kind === "admin" ? hash.hmac(token, adminDigest) : "");

  function issue(grant: Grant, until: string | null): Opened & { change: Change } {
    const token = ids.random(TOKEN_CHARS);
    const latest = clock.now() + LIFETIME_MS;
    // As text, moments of different time zones cannot be compared.
    const expires_at = instant(until === null ? latest : Math.min(latest, Date.parse(until)));
    const session: StoredSession = { id: hash.sha256(token), grant, proof: proofFor(token, grant), expires_at };
    const key = keyOf(session.id);
    return { token, session, change: { key, document: session, rows: [expiringRow(key, session)] } };
  }

  async function findOne(token: string): Promise<StoredSession | null> {
    const found = await store.get<StoredSession>(keyOf(hash.sha256(token)));
    if (found === null || Date.parse(found.document.expires_at) <= clock.now()) return null;
    return hash.equal(found.document.proof, proofFor(token, found.document.grant)) ? found.document : null;
  }

  return {
    async create(grant, until) {
      const { change, ...opened } = issue(grant, until);
      await store.commit([change]);
      return opened;
    },

    async find(tokens) {
      for (const token of tokens) {
        const session = await findOne(token);
        if (session !== null) return session;
      }
      return null;
    },

    open: ({ id }, appId) =>
      updateDocument<StoredSession, StoredSession>(store, keyOf(id), (found) => {
        if (found === null || !("opened" in found.document.grant)) throw ended();
        const { grant } = found.document;
        const opened = [appId, ...grant.opened.filter((other) => other !== appId)].slice(0, MAX_OPENED);
        const document = { ...found.document, grant: { ...grant, opened } };
        const key = keyOf(id);
        const rows = [expiringRow(key, document)];
        return { changes: [{ key, document, expected: found.version, rows }], result: document };
      }),

    async end({ id }) {
      const key = keyOf(id);
      await updateDocument<StoredSession, void>(store, key, (found) => {
        const deletion = { key, document: null, expected: found?.version ?? null, rows: [notExpiringRow(key)] };
        return { changes: [deletion], result: undefined };
      });
      watches.end(key);
    },

    async watch({ id, expires_at }, controller) {
      await watches.watch(keyOf(id), controller);
      if (controller.signal.aborted) return;
      const cancelTimer = atMoment(clock, Date.parse(expires_at), () => controller.abort());
      controller.signal.addEventListener("abort", cancelTimer, { once: true });
    },

    async createOnce(grant, expiresIn) {
      const token = ids.random(TOKEN_CHARS);
      const expires_at = instant(clock.now() + expiresIn * SECOND_MS);
      const document: Once = { grant, proof: proofFor(token, grant), expires_at };
      const key = onceKey(token);
      await store.commit([{ key, document, rows: [expiringRow(key, document)] }]);
      return { token, expires_at };
    },

    async redeem(given, check) {
      const key = onceKey(given);
      const found = await store.get<Once>(key);
      if (found === null || Date.parse(found.document.expires_at) <= clock.now()) throw used();
      const { grant, proof } = found.document;
      if (!hash.equal(proof, proofFor(given, grant))) throw used();
      check(grant);
      const { change, ...opened } = issue(grant, null);
      try {
        await store.commit([{ key, document: null, expected: found.version, rows: [notExpiringRow(key)] }, change]);
      } catch (error) {
        throw isStepwellError(error, "conflict") ? used() : error;
      }
      return opened;
    },
  };
}

function ended(): StepwellError {
  return new StepwellError("unauthorized", "The session has ended. Sign in again.");
}

function used(): StepwellError {
  return new StepwellError("unauthorized", "This address has been used, or has expired. Create another one.");
}
