/**
 * The last requests to each hook, for those who look for a missing run. They are stored together a moment later, so that no request
 * waits for it. What was not stored when the process ends is lost.
 */
import * as v from "valibot";
import { updateDocument } from "../documents/documents.ts";
import { type Expiring, expiringRow } from "../documents/expiring-documents.ts";
import { cut, isStepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Key, Store } from "../ports/store.ts";
import { list } from "../schema.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS, SECOND_MS } from "../time/units.ts";
import type { HookDocument } from "./hook.ts";

const HookRequestInfo = v.object({
  /** When the request arrived, ISO 8601. */
  at: v.string(),
  /** HTTP method. */
  method: v.string(),
  /** Status of the response. */
  status: v.number(),
  /** Run that the request started, or that an earlier copy of it started; null if it was refused. */
  run_id: v.nullable(v.string()),
  /** Why the request was refused; null if it was not. */
  error: v.nullable(
    v.object({
      /** Error code, such as `signature_mismatch`, `too_large` or `invalid`. */
      code: v.string(),
      /** What was wrong, at most 300 characters. */
      message: v.string(),
    }),
  ),
});
/** A request to a webhook, without what it contained. */
export interface HookRequestInfo extends Readonly<v.InferOutput<typeof HookRequestInfo>> {}

export const HookRequests = v.object({
  /** The last 50 requests of the last 30 days, newest first. Submitted forms are not among them. */
  requests: list(HookRequestInfo),
});
/** The last requests to a webhook. */
export interface HookRequests extends Readonly<v.InferOutput<typeof HookRequests>> {
  /** The last 50 requests of the last 30 days, newest first. */
  readonly requests: readonly HookRequestInfo[];
}

export interface RequestLog {
  /** The last requests, those that are not stored yet included. */
  read(hookId: string): Promise<HookRequests>;
  add(hook: Pick<HookDocument, "id" | "app_id">, request: HookRequestInfo): void;
}

/** Deleted with its app, like all that expires. */
interface LogDocument extends Expiring {
  readonly app_id: string;
  /** Newest first. */
  readonly requests: readonly HookRequestInfo[];
}

interface Waiting {
  readonly appId: string;
  /** Newest first. */
  requests: HookRequestInfo[];
}

const STORED_AFTER_MS = SECOND_MS;
const KEPT_MS = 30 * DAY_MS;
const MAX_REQUESTS = 50;
/** Maximum number of hooks whose requests wait to be stored. */
const MAX_WAITING = 1_000;
const MAX_MESSAGE_CHARS = 300;

const keyOf = (hookId: string): Key => `hook-requests:${hookId.slice("hook_".length)}`;
const lastOf = (requests: readonly HookRequestInfo[]) =>
  requests.toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0)).slice(0, MAX_REQUESTS);

export function createRequestLog({ store, clock }: { store: Store; clock: Clock }): RequestLog {
  const waiting = new Map<string, Waiting>();
  /** What is being stored. */
  let storing = new Map<string, Waiting>();
  let isTimerSet = false;

  function storeSoon(): void {
    if (isTimerSet || waiting.size === 0) return;
    isTimerSet = true;
    clock.after(STORED_AFTER_MS, () => void storeAll());
  }

  async function storeAll(): Promise<void> {
    storing = new Map(waiting);
    waiting.clear();
    // Requests that cannot be stored, such as those of a deleted app, are not worth another try.
    for (const [hookId, log] of storing) await append(hookId, log).catch(() => undefined);
    storing = new Map();
    isTimerSet = false;
    storeSoon();
  }

  function append(hookId: string, { appId, requests }: Waiting): Promise<void> {
    const key = keyOf(hookId);
    return updateDocument<LogDocument, void>(store, key, (found) => {
      const all = lastOf([...requests, ...(found?.document.requests ?? [])]);
      const [newest] = all;
      const expires_at = instant(Date.parse(newest?.at ?? "") + KEPT_MS);
      const document: LogDocument = { app_id: appId, expires_at, requests: all };
      const rows = [expiringRow(key, document, appId)];
      return { changes: [{ key, document, expected: found?.version ?? null, rows }], result: undefined };
    });
  }

  return {
    async read(hookId) {
      const stored = (await store.get<LogDocument>(keyOf(hookId)))?.document.requests ?? [];
      const unstored = [waiting, storing].flatMap((logs) => logs.get(hookId)?.requests ?? []);
      // What has just been stored is in both.
      const known = new Set(stored.map((request) => JSON.stringify(request)));
      const since = instant(clock.now() - KEPT_MS);
      const all = [...unstored.filter((request) => !known.has(JSON.stringify(request))), ...stored];
      return { requests: lastOf(all).filter(({ at }) => at > since) };
    },

    add({ id, app_id }, request) {
      const log = waiting.get(id) ?? { appId: app_id, requests: [] };
      log.requests = lastOf([request, ...log.requests]);
      waiting.set(id, log);
      const [oldest] = waiting.keys();
      if (waiting.size > MAX_WAITING && oldest !== undefined) waiting.delete(oldest);
      storeSoon();
    },
  };
}

/** Why a request was refused. */
export function refusalOf(error: unknown): Pick<HookRequestInfo, "status" | "error"> {
  if (!isStepwellError(error)) return { status: 500, error: { code: "internal", message: "An internal error." } };
  const { status, code, publicDetail, message } = error;
  return { status, error: { code, message: cut(publicDetail ?? message, MAX_MESSAGE_CHARS) } };
}
