/** Signatures of requests: their schemes, their formats, and the secrets behind them. */
import type { Encrypted } from "../ports/secrets.ts";

export const SIGNATURE_SCHEMES = ["standard-webhooks", "github", "stripe", "slack", "hmac-sha256"] as const;
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
export interface SigningSecret extends SignatureForm {
  readonly encrypted: Encrypted;
  readonly created_at: string;
  /** When the secret stops being valid, ISO 8601; null for the current one. */
  readonly until: string | null;
}
