/** An incoming webhook as stored: an address of an app, the step that it leads to, and how what comes must be signed. */
import type { Sealed } from "../ports/secrets.ts";

export const SIGNATURE_SCHEMES = ["standard-webhooks", "github", "stripe", "hmac-sha256"] as const;
export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

/** How a signature is written: where it stands, in which letters, and what stands in front of it. */
export interface SignatureForm {
  readonly scheme: SignatureScheme;
  /** Lower case. */
  readonly header: string;
  readonly encoding: "hex" | "base64";
  readonly prefix: string;
}

/** A secret by which what comes may be signed. */
export interface HookSecret extends SignatureForm {
  readonly sealed: Sealed;
  readonly created_at: string;
  /** ISO 8601 instant from which it is refused; null for the one that is in force. */
  readonly until: string | null;
}

/** A method and a path of an app are one workflow's. */
export interface Hook {
  /** `hook_` and what the app, the method and the path come to: another deployment has the same. */
  readonly id: string;
  readonly app_id: string;
  readonly method: string;
  /** Without slashes around it. */
  readonly path: string;
  /** Null while no deployed workflow has the address, which is kept for its secrets only. */
  readonly workflow_id: string | null;
  readonly step_key: string | null;
  /** The newest first; none where nothing needs to be signed. */
  readonly secrets: readonly HookSecret[];
  readonly created_at: string;
}
