/** Sessions of the console: what is stored of them, what the page sees of them, and what opens one. */
import * as v from "valibot";
import { type ApiKeyScope, SCOPES } from "../calls/caller.ts";
import type { Expiring } from "../documents/expiring-documents.ts";
import { list, strictObject } from "../schema.ts";

/** What a session allows. */
export type Grant =
  | { readonly kind: "key"; readonly app_id: string; readonly key_id: string }
  | {
      /** The host has opened the app for a person. */
      readonly kind: "host";
      readonly app_id: string;
      readonly scopes: readonly ApiKeyScope[] | null;
      readonly name: string | null;
    }
  | {
      readonly kind: "admin";
      readonly name: string | null;
      /** Apps that the session has opened, the last one first. */
      readonly opened: readonly string[];
    }
  | {
      /** Apps that somebody has opened whom the host knows as an admin. Alone, it allows nothing. */
      readonly kind: "opened";
      readonly opened: readonly string[];
    };

/** A session as stored. Its id is the digest of its token. */
export interface StoredSession extends Expiring {
  readonly id: string;
  readonly grant: Grant;
  /** Changes with the admin key, which ends the sessions of admins. It can only be computed with the token. */
  readonly proof: string;
}

export const ConsoleSession = v.object({
  /** `key`: opened with an API key. `host`: the host knows the person. `admin`: opened with the admin key. */
  kind: v.picklist(["key", "host", "admin"]),
  /** Whether it may manage apps and keys, and open any app. */
  admin: v.boolean(),
  /** The app, or the one that an admin opened last; null if an admin has opened none. */
  app_id: v.nullable(v.string()),
  /** Name of the key or the person; null for none. */
  name: v.nullable(v.string()),
  /**
   * Tells people of one kind of session apart: the id of the API key, or the id of the user whom the host knows, or else the
   * name. Null if the host says neither.
   */
  person: v.nullable(v.string()),
  /** What it may do in the app; null for everything. */
  scopes: v.nullable(list(v.picklist(SCOPES))),
  /** When the session ends, ISO 8601; null if the host decides. */
  expires_at: v.nullable(v.string()),
});
/** A session of the console. */
export interface ConsoleSession extends Readonly<v.InferOutput<typeof ConsoleSession>> {}

export const SessionState = v.object({
  /** The session of the browser; null for none. */
  session: v.nullable(ConsoleSession),
  /** URL where people sign in to the host, with `{return_to}` where it takes an address; null for none. */
  sign_in: v.nullable(v.string()),
  /**
   * The files that `stepwell dev` deploys again at each start, and when they are saved, over what was deployed in the console.
   * Those of the app of the session, or of all apps for an admin. Absent for other hosts.
   */
  workflow_files: v.exactOptional(
    list(
      v.object({
        /** App of the workflow. */
        app_id: v.string(),
        /** Name of the workflow. */
        name: v.string(),
        /** Path of the file. */
        path: v.string(),
      }),
    ),
  ),
});
/** Whether a browser is signed in. */
export interface SessionState extends Readonly<v.InferOutput<typeof SessionState>> {}

const text = v.pipe(v.string(), v.maxLength(1_024, "Must have at most 1,024 characters."));

export const SignIn = v.pipe(
  strictObject({
    /** An app's key, or the admin key. */
    key: v.exactOptional(text),
    /** The token of an address that `stepwell.console.createSignIn()` has created. */
    once: v.exactOptional(text),
    /** The app that the session of an admin opens. */
    app_id: v.exactOptional(text),
    /** With `once`: whether it may end the session of somebody else that the browser has. @default false: 409 */
    replace: v.exactOptional(v.boolean()),
  }),
  v.check(
    ({ replace: _, ...given }) => Object.keys(given).length === 1,
    "Must have one of the fields key, once and app_id.",
  ),
  v.check(({ replace, once }) => replace === undefined || once !== undefined, "replace must be omitted without once."),
);
/**
 * Opens a session, or an app in the session of an admin. Has exactly one of the fields `key`, `once` and `app_id`.
 * @example { "key": "…" }
 */
export type SignIn = v.InferOutput<typeof SignIn>;
