/** Parses and validates the request headers of tus 1.0.0 (https://tus.io/protocols/resumable-upload). */
import { decodeText } from "../../encoding/decode-text.ts";
import { StepwellError } from "../../errors.ts";
import type { DigestAlgorithm } from "../../ports/hash.ts";
import type { Chunk } from "./append-bytes.ts";

export const CHECKSUMS: readonly DigestAlgorithm[] = ["sha1", "sha256", "md5"];

/** A number of bytes; null without the header. @throws StepwellError `malformed` */
export function byteCountIn(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  if (value === null) return null;
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number)) return number;
  throw invalidHeader(name, `Must be a whole number of bytes, not ${JSON.stringify(value.slice(0, 100))}.`);
}

/** The size of the file; null with `Upload-Defer-Length`. @throws StepwellError `malformed` */
export function announcedLength(headers: Headers): number | null {
  const length = byteCountIn(headers, "Upload-Length");
  const defer = headers.get("Upload-Defer-Length");
  if (defer !== null && defer !== "1") throw invalidHeader("Upload-Defer-Length", "Must be 1 or omitted.");
  if ((length === null) === (defer === null)) {
    throw invalidHeader("Upload-Length", "Exactly one of Upload-Length and Upload-Defer-Length: 1 is required.");
  }
  return length;
}

/** Metadata keys of the file name, whose values must be text. Other values may be any bytes. */
const FILE_NAME_KEYS = new Set(["filename", "name"]);
const PAIR = /^ *([\x21-\x2b\x2d-\x7e]+)(?: ([A-Za-z0-9+/]*={0,2}))? *$/;

/**
 * Parses `Upload-Metadata`: names, each with a value in base64.
 * @throws StepwellError `malformed`
 */
export function metadataIn(headers: Headers): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const value = headers.get("Upload-Metadata") ?? "";
  for (const pair of value === "" ? [] : value.split(",")) {
    const [, name, encoded = ""] = PAIR.exec(pair) ?? [];
    if (name === undefined) throw invalidHeader("Upload-Metadata", METADATA_FORMAT);
    if (found.has(name)) throw invalidHeader("Upload-Metadata", `Must contain the name "${name}" only once.`);
    const text = decodeText(fromBase64("Upload-Metadata", encoded, METADATA_FORMAT), "text/plain");
    if (text === null && FILE_NAME_KEYS.has(name))
      throw invalidHeader("Upload-Metadata", `The value of "${name}" must be UTF-8 text.`);
    found.set(name, text ?? "");
  }
  return found;
}

const METADATA_FORMAT = "Must be a comma-separated list of names with base64-encoded values. Names must be unique.";

/** @throws StepwellError `malformed`, including for an unknown algorithm */
export function checksumIn(headers: Headers): Chunk["checksum"] {
  const value = headers.get("Upload-Checksum");
  if (value === null) return null;
  const [name, encoded = "", ...rest] = value.trim().split(/ +/);
  const algorithm = CHECKSUMS.find((known) => known === name);
  if (algorithm === undefined || encoded === "" || rest.length > 0)
    throw invalidHeader("Upload-Checksum", CHECKSUM_FORMAT);
  const bytes = fromBase64("Upload-Checksum", encoded, CHECKSUM_FORMAT);
  return { algorithm, digest: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

const CHECKSUM_FORMAT = `Must be one of ${CHECKSUMS.join(", ")}, a space and the base64-encoded digest of the body.`;

function fromBase64(header: string, encoded: string, message: string): Uint8Array {
  try {
    return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  } catch {
    throw invalidHeader(header, message);
  }
}

export function invalidHeader(header: string, message: string): StepwellError {
  const errors = [{ pointer: `/${header.toLowerCase()}`, message, in: "header" as const }];
  return new StepwellError("malformed", `${header}: ${message}`, { errors });
}
