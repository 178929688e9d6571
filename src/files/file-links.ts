/**
 * Links that download a file without an API key. They are signed and expire, so Stepwell stores nothing per link but
 * its receipt.
 */
import * as v from "valibot";
import type { Receipt } from "../documents/receipt.ts";
import { isStepwellError, notFound, StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Hash } from "../ports/hash.ts";
import type { Ids } from "../ports/ids.ts";
import type { Store } from "../ports/store.ts";
import { secondsUpTo, strictObject } from "../schema.ts";
import { instant } from "../time/iso.ts";
import { HOUR_SECONDS } from "../time/units.ts";
import type { Files } from "./files.ts";

const DEFAULT_LIFETIME_SECONDS = HOUR_SECONDS;

export const FileLinkCreate = strictObject({
  /** Seconds until the link expires, from 1 to 2,592,000 (30 days). @default 3,600 (1 hour) */
  expires_in: v.exactOptional(secondsUpTo(30, 1)),
});
/** Settings of a new link. */
export interface FileLinkCreate extends v.InferOutput<typeof FileLinkCreate> {}

export const FileLink = v.object({
  /** URL that downloads the file without an API key. */
  url: v.string(),
  /** When the link expires, ISO 8601. */
  expires_at: v.string(),
});
/** A link that downloads a file without an API key. */
export interface FileLink extends Readonly<v.InferOutput<typeof FileLink>> {}

/** The query of a link. */
export const FileLinkQuery = strictObject({
  /** App of the file. */
  app: v.string(),
  /** When the link expires, in seconds since 1970. */
  expires: v.string(),
  /** Signature of the link. */
  signature: v.string(),
});

export interface FileLinks {
  /** @throws StepwellError `not_found` */
  create(appId: string, fileId: string, input: FileLinkCreate, receipt: Receipt): Promise<FileLink>;
  /**
   * Verifies a link and returns the app of its file.
   * @throws StepwellError `not_found` for an invalid signature or a deleted app; `link_expired`
   */
  open(fileId: string, query: URLSearchParams): Promise<string>;
}

const SECRET_KEY = "secret:file-links";
const SECRET_CHARS = 43;
const pathOf = (fileId: string) => `/public/apps/files/${fileId}/content`;

export function createFileLinks(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  hash: Hash;
  files: Files;
  /** @throws StepwellError `not_found` */
  getApp(appId: string): Promise<unknown>;
  /** Start of every link, without a trailing slash. */
  baseUrl: string;
}): FileLinks {
  const { store, clock, ids, hash, files, getApp, baseUrl } = parts;

  const findSecret = async () => (await store.get<{ secret: string }>(SECRET_KEY))?.document.secret;

  /** Generated with the first link and stored, because links outlive the process. */
  async function secret(): Promise<string> {
    for (;;) {
      const found = await findSecret();
      if (found !== undefined) return found;
      try {
        const document = { secret: ids.random(SECRET_CHARS) };
        await store.commit([{ key: SECRET_KEY, document, expected: null }]);
      } catch (error) {
        if (!isStepwellError(error, "conflict")) throw error; // another call created it
      }
    }
  }

  const sign = (key: string, appId: string, fileId: string, expires: string) =>
    hash.hmac(key, `${appId}/${fileId}/${expires}`);

  return {
    async create(appId, fileId, { expires_in = DEFAULT_LIFETIME_SECONDS }, receipt) {
      await files.get(appId, fileId, false);
      const expires = Math.floor(clock.now() / 1_000) + expires_in;
      const query = new URLSearchParams({
        app: appId,
        expires: String(expires),
        signature: sign(await secret(), appId, fileId, String(expires)),
      });
      const link = { url: `${baseUrl}${pathOf(fileId)}?${query}`, expires_at: instant(expires * 1_000) };
      const changes = receipt(link);
      if (changes.length > 0) await store.commit(changes);
      return link;
    },

    async open(fileId, query) {
      const [app = "", expires = "", given = ""] = ["app", "expires", "signature"].map((name) => query.get(name) ?? "");
      const key = await findSecret(); // without one, there is no link
      if (key === undefined || !hash.equal(given, sign(key, app, fileId, expires))) throw notFound("file", fileId);
      if (Number(expires) * 1_000 <= clock.now()) {
        throw new StepwellError("link_expired", "This link has expired. Request a new one.");
      }
      await getApp(app);
      return app;
    },
  };
}
