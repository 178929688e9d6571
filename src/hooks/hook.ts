/** An incoming webhook as stored: a URL of an app, the step that it starts at, and the signature that it requires. */
import type { Sealed } from "../ports/secrets.ts";

export const SIGNATURE_SCHEMES = ["standard-webhooks", "github", "stripe", "hmac-sha256"] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

/** The format of a signature: header, encoding and prefix. */
export interface SignatureForm {
  readonly scheme: SignatureScheme;
  /** Lower case. */
  readonly header: string;
  readonly encoding: "hex" | "base64";
  readonly prefix: string;
}

/** A secret with which requests may be signed. */
export interface HookSecret extends SignatureForm {
  readonly sealed: Sealed;
  readonly created_at: string;
  /** When the secret stops being valid, ISO 8601; null for the current one. */
  readonly until: string | null;
}

/** A webhook. A method and a path of an app belong to at most one workflow. */
export interface HookDocument {
  /** `hook_` and a hash of the app, the method and the path, so the id survives deployments. */
  readonly id: string;
  readonly app_id: string;
  readonly method: string;
  /** Without leading and trailing slashes. */
  readonly path: string;
  /** Null while no deployed workflow has the URL, which is then kept for its secrets. */
  readonly workflow_id: string | null;
  readonly step_key: string | null;
  /** Newest first. Empty if the webhook accepts unsigned requests. */
  readonly secrets: readonly HookSecret[];
  readonly created_at: string;
}
