/** Addresses that are credentials: each has a secret in its path, of which only the digest is stored. */
import { isStepwellError, notFound, StepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Key, Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS, DAY_SECONDS, SECOND_MS } from "../time/units.ts";
import { updateDocument } from "./documents.ts";
import { type Expiring, expiringRow, goneRows } from "./expiring-documents.ts";

/** A link as stored. `expires_at` is when the document is deleted. */
export interface SecretLink extends Expiring {
  readonly id: string;
  readonly app_id: string;
  /** When the link expires, ISO 8601. Until the document is deleted, a request learns that it has expired. */
  readonly link_expires_at: string;
}

/** What a link is for. */
export type LinkContent<Link extends SecretLink> = Omit<Link, "id" | "link_expires_at" | "expires_at" | "listed_in"> &
  Pick<SecretLink, "app_id">;

export interface IssuedLink {
  readonly id: string;
  readonly token: string;
  /** ISO 8601. */
  readonly expires_at: string;
  readonly change: Change;
}

export interface LinkListing {
  readonly list: string;
  readonly marks: readonly string[];
}

export interface SecretLinks<Link extends SecretLink> {
  /**
   * Returns a new link, which the caller stores.
   * @param expires_in Seconds. @default seven days
   * @param listing The list that contains it until it is deleted, and its marks there. @default none
   */
  issue(content: LinkContent<Link>, expires_in: number | undefined, listing?: LinkListing): IssuedLink;
  /** Where a link is stored. */
  keyOf(linkId: string): Key;
  /** @throws StepwellError `not_found` for an unknown or revoked link, or if its app was deleted; `link_expired` */
  open(token: string): Promise<Link>;
  /** Deletes a link. @param isOwn Whether the caller may. @throws StepwellError `not_found` */
  remove(linkId: string, isOwn: (link: Link) => boolean): Promise<void>;
}

const SECRET_CHARS = 32;
const TOKEN = /^[0-9a-z]{32}$/;
const LINK_ID = /^link_[0-9a-f]{32}$/;
const DEFAULT_LIFETIME_SECONDS = 7 * DAY_SECONDS;
/** How long an expired link is remembered as such. */
const CLOSED_RETENTION_MS = 30 * DAY_MS;

export const unknownLink = () =>
  new StepwellError("not_found", "This link does not exist. Check that you copied all of it.");

/** @param parts.kind Kind of the documents. */
export function createSecretLinks<Link extends SecretLink>(parts: {
  kind: string;
  store: Store;
  clock: Clock;
  ids: Pick<Ids, "random">;
  hash: Hash;
  /** @throws StepwellError `not_found` */
  getApp(appId: string): Promise<unknown>;
}): SecretLinks<Link> {
  const { kind, store, clock, ids, hash, getApp } = parts;
  /** The id is the digest of the secret. */
  const idOf = (token: string) => `link_${hash.sha256(token).slice(0, 32)}`;
  const keyOf = (linkId: string): Key => `${kind}:${linkId}`;

  return {
    keyOf,

    issue(content, expires_in = DEFAULT_LIFETIME_SECONDS, listing) {
      const token = ids.random(SECRET_CHARS);
      const id = idOf(token);
      const expires = clock.now() + expires_in * SECOND_MS;
      const times = { link_expires_at: instant(expires), expires_at: instant(expires + CLOSED_RETENTION_MS) };
      const document = { ...content, id, ...times, ...omitUndefined({ listed_in: listing?.list }) };
      const key = keyOf(id);
      const rows = [expiringRow(key, times, content.app_id)];
      if (listing !== undefined) {
        const { list, marks } = listing;
        rows.push({ list, put: { id, order: instant(clock.now()), marks } });
      }
      const change = { key, document, rows };
      return { id, token, expires_at: times.link_expires_at, change };
    },

    async open(token) {
      const found = TOKEN.test(token) ? await store.get<Link>(keyOf(idOf(token))) : null;
      if (found === null) throw unknownLink();
      await getApp(found.document.app_id).catch((error: unknown) => {
        throw isStepwellError(error, "not_found") ? unknownLink() : error;
      });
      if (Date.parse(found.document.link_expires_at) > clock.now()) return found.document;
      throw new StepwellError("link_expired", "This link has expired. Ask the sender for a new one.");
    },

    async remove(linkId, isOwn) {
      if (!LINK_ID.test(linkId)) throw notFound("link", linkId);
      const key = keyOf(linkId);
      await updateDocument<Link, void>(store, key, (found) => {
        if (found === null || !isOwn(found.document)) throw notFound("link", linkId);
        return {
          changes: [{ key, document: null, expected: found.version, rows: goneRows(key, found.document) }],
          result: undefined,
        };
      });
    },
  };
}
