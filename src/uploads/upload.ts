/** An upload URL: accepts one file from whoever has it. */
import * as v from "valibot";
import type { Expiring } from "../documents/expiring-documents.ts";
import type { File } from "../files/file.ts";
import { MediaTypePattern } from "../files/media-type.ts";
import { list, seconds, secondsUpTo, strictObject, Visibility } from "../schema.ts";

export const UploadCreate = strictObject({
  /** Bytes; at most what the service allows. */
  max_size: v.exactOptional(
    v.pipe(v.number(), v.safeInteger("Must be a whole number of bytes."), v.minValue(1, "Must be at least 1.")),
  ),
  /** Checked against the content of the file, not its name. @default any type */
  allowed_types: v.exactOptional(
    v.pipe(
      list(MediaTypePattern),
      v.minLength(1, "Must have at least one type. Omit it to allow all types."),
      v.maxLength(100, "Must have at most 100 types."),
    ),
  ),
  /** Seconds. @default 24 hours */
  expires_in: v.exactOptional(secondsUpTo(30, 1)),
  /** What the file will be called, whatever its sender calls it. */
  file_name: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(255, "Must have at most 255 characters.")),
  ),
  /** Of the file. @default PRIVATE */
  visibility: v.exactOptional(Visibility),
  /** Seconds after its arrival when the file is removed. @default never */
  file_expires_in: v.exactOptional(seconds(1)),
});
export interface UploadCreate extends v.InferOutput<typeof UploadCreate> {}

export const Upload = v.object({
  upload_url: v.string(),
  /** The id that the file will have. */
  future_file_id: v.string(),
  expires_at: v.string(),
});
export interface Upload extends Readonly<v.InferOutput<typeof Upload>> {}

/** What anybody with the upload URL may know of it. */
export const UploadStatus = v.object({
  status: v.picklist(["open", "used", "expired"]),
  expires_at: v.string(),
  max_size: v.number(),
  allowed_types: v.nullable(list(v.string())),
});
export interface UploadStatus extends Readonly<v.InferOutput<typeof UploadStatus>> {}

/** The JSON form of an upload. */
export const UploadFromAddress = strictObject({
  file_url: v.pipe(
    v.string(),
    v.minLength(1, "Must not be empty."),
    v.maxLength(8_192, "Must have at most 8192 characters."),
  ),
});

/** What is kept of a resumable upload when it has become a file. */
export interface FinishedUpload {
  readonly blob_id: string;
  /** Bytes. */
  readonly size: number;
  /** `Upload-Metadata` as it was given. */
  readonly metadata: string | null;
}

/** As stored. `expires_at` is when the document itself goes away; until then a used or expired URL says which of the two it is. */
export interface UploadDocument extends Expiring {
  readonly id: string;
  readonly app_id: string;
  readonly file_id: string;
  readonly used: boolean;
  readonly max_size: number;
  readonly allowed_types: readonly string[] | null;
  readonly file_name: string | null;
  readonly visibility: File["visibility"];
  /** Seconds that the file is kept; null for no limit. */
  readonly file_expires_in: number | null;
  /** Of a file that arrived in chunks: answers a sender who missed the last response. */
  readonly came_in_parts?: FinishedUpload;
  /** The `expires_at` of the interface. */
  readonly closes_at: string;
}
