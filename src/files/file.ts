/** A file: the result of an upload. */
import * as v from "valibot";
import type { Blob } from "../ports/blobs.ts";
import { instantText, strictObject, Visibility } from "../schema.ts";

export const File = v.object({
  /** `afile_…` */
  id: v.string(),
  /** App that owns the file. */
  app_id: v.string(),
  /** File name, with unsafe characters replaced. */
  name: v.string(),
  /** Size in bytes. */
  size: v.number(),
  /** Media type by content, else by name, else `application/octet-stream`. */
  mime_type: v.string(),
  /** Encoding of a text other than UTF-8 that the sender declared, such as `iso-8859-5`. Absent if there is none. */
  charset: v.exactOptional(v.string()),
  /** Media type by name; null if the name has no known extension. */
  name_type: v.nullable(v.string()),
  /** SHA-256 digest of the bytes, in hex. */
  sha256: v.string(),
  /** `PUBLIC` files can be downloaded without an API key. */
  visibility: Visibility,
  /** ISO 8601. */
  created_at: v.string(),
  /** When the file is deleted, ISO 8601; null for never. */
  expires_at: v.nullable(v.string()),
});
/** The metadata of a file. */
export interface File extends Readonly<v.InferOutput<typeof File>> {}

export const FileSummary = v.pick(File, ["id", "name", "size", "mime_type", "sha256"]);
/** A file in the input and output of steps. */
export type FileSummary = v.InferOutput<typeof FileSummary>;

export function fileSummary({ id, name, size, mime_type, sha256 }: File): FileSummary {
  return { id, name, size, mime_type, sha256 };
}

export const FileUpdate = strictObject({
  /** File name, 1 to 255 characters. Unsafe characters are replaced. */
  name: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(255, "Must have at most 255 characters.")),
  ),
  /** `PUBLIC` files can be downloaded without an API key. */
  visibility: v.exactOptional(Visibility),
  /** When to delete the file: an ISO 8601 date and time in the future, or null for never. */
  expires_at: v.exactOptional(v.nullable(instantText)),
});
/** Changes to a file. Omitted fields keep their values. */
export interface FileUpdate extends v.InferOutput<typeof FileUpdate> {}

/** The media type with the encoding, as `Content-Type` has them. */
export const contentTypeOf = ({ mime_type, charset }: Pick<File, "mime_type" | "charset">): string =>
  charset === undefined ? mime_type : `${mime_type}; charset=${charset}`;

/** A file as stored, with the location of its bytes. */
export interface FileDocument extends File {
  readonly blob: Blob;
}

export function toFile({ blob: _, ...file }: FileDocument): File {
  return file;
}
