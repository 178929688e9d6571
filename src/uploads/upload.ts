/** An upload URL, through which an end user uploads one file without an API key. */
import * as v from "valibot";
import type { Expiring } from "../documents/expiring-documents.ts";
import type { File } from "../files/file.ts";
import { MediaTypePattern } from "../files/media-type.ts";
import { list, seconds, secondsUpTo, strictObject, Visibility } from "../schema.ts";

export const UploadCreate = strictObject({
  /** Maximum size of the file in bytes, from 1 to `limits.fileBytes`. @default `limits.fileBytes` */
  max_size: v.exactOptional(
    v.pipe(v.number(), v.safeInteger("Must be a whole number of bytes."), v.minValue(1, "Must be at least 1.")),
  ),
  /**
   * Media types that the URL accepts, 1 to 100, such as `application/pdf` or `image/*`. Checked against the content of
   * the file, not its name.
   * @default any type
   */
  allowed_types: v.exactOptional(
    v.pipe(
      list(MediaTypePattern),
      v.minLength(1, "Must have at least one type. Omit it to allow all types."),
      v.maxLength(100, "Must have at most 100 types."),
    ),
  ),
  /** Seconds until the upload URL expires, from 1 to 2,592,000 (30 days). @default 86,400 (24 hours) */
  expires_in: v.exactOptional(secondsUpTo(30, 1)),
  /** Name of the file, 1 to 255 characters. @default the name that the sender provides */
  file_name: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(255, "Must have at most 255 characters.")),
  ),
  /** `PUBLIC` files can be downloaded without an API key. @default PRIVATE */
  visibility: v.exactOptional(Visibility),
  /** Seconds from the upload until the file is deleted, at least 1. @default never */
  file_expires_in: v.exactOptional(seconds(1)),
});
/**
 * Settings of a new upload URL.
 * @example { "max_size": 10485760, "allowed_types": ["application/pdf", "image/*"] }
 */
export interface UploadCreate extends v.InferOutput<typeof UploadCreate> {}

export const Upload = v.object({
  /** URL that accepts one file. A failed upload doesn't use it up. */
  upload_url: v.string(),
  /** Id that the file will have. */
  future_file_id: v.string(),
  /** When the upload URL expires, ISO 8601. */
  expires_at: v.string(),
});
/** An upload URL, which accepts one file without an API key. */
export interface Upload extends Readonly<v.InferOutput<typeof Upload>> {}

/** The status of an upload URL, readable by anyone who has the URL. */
export const UploadStatus = v.object({
  /** Whether the URL still accepts a file. */
  status: v.picklist(["open", "used", "expired"]),
  /** When the upload URL expires, ISO 8601. */
  expires_at: v.string(),
  /** Maximum size of the file in bytes. */
  max_size: v.number(),
  /** Media types that the URL accepts; null for any. */
  allowed_types: v.nullable(list(v.string())),
});
export interface UploadStatus extends Readonly<v.InferOutput<typeof UploadStatus>> {}

/**
 * JSON body of an upload: Stepwell fetches the file from a URL.
 * @example { "file_url": "https://example.com/report.pdf" }
 */
export const UploadFromUrl = strictObject({
  /** An http: or https: URL, 1 to 8,192 characters. */
  file_url: v.pipe(
    v.string(),
    v.minLength(1, "Must not be empty."),
    v.maxLength(8_192, "Must have at most 8192 characters."),
  ),
});

/** Fields of a form that uploads a file. */
export const UploadForm = strictObject({
  /** The file. */
  file: v.file(),
});

/** What Stepwell keeps of a completed resumable upload. */
export interface FinishedUpload {
  /** As in its URL. */
  readonly attempt: string;
  /** Bytes. */
  readonly size: number;
  /** The `Upload-Metadata` header of the request that created it. */
  readonly metadata: string | null;
}

/**
 * An upload URL as stored. `expires_at` is when the document is deleted; until then, a request learns whether the URL
 * was used or has expired.
 */
export interface UploadDocument extends Expiring {
  readonly id: string;
  readonly app_id: string;
  readonly file_id: string;
  readonly used: boolean;
  readonly max_size: number;
  readonly allowed_types: readonly string[] | null;
  readonly file_name: string | null;
  readonly visibility: File["visibility"];
  /** Seconds from the upload until the file is deleted; null for never. */
  readonly file_expires_in: number | null;
  /** Set by a resumable upload: lets a client that missed the last response request it again. */
  readonly finished_upload?: FinishedUpload;
  /** `expires_at` of the public `Upload`. */
  readonly url_expires_at: string;
}
