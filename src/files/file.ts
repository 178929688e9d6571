/** A file: what an upload became. */
import * as v from "valibot";
import type { Blob } from "../ports/blobs.ts";
import { instantText, strictObject, Visibility } from "../schema.ts";

export const File = v.object({
  id: v.string(),
  app_id: v.string(),
  name: v.string(),
  size: v.number(),
  /** By content; where that does not tell, by name; else application/octet-stream. */
  mime_type: v.string(),
  /** What its name says it is; null where that says nothing. */
  name_type: v.nullable(v.string()),
  /** Hex. */
  sha256: v.string(),
  visibility: Visibility,
  created_at: v.string(),
  /** When it goes away by itself; null for never. */
  expires_at: v.nullable(v.string()),
});
export interface File extends Readonly<v.InferOutput<typeof File>> {}

/** A file as it stands in the inputs and outputs of steps. */
export const FileSummary = v.pick(File, ["id", "name", "size", "mime_type", "sha256"]);
export type FileSummary = v.InferOutput<typeof FileSummary>;

export function fileSummary({ id, name, size, mime_type, sha256 }: File): FileSummary {
  return { id, name, size, mime_type, sha256 };
}

export const FileUpdate = strictObject({
  name: v.exactOptional(
    v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(255, "Must have at most 255 characters.")),
  ),
  visibility: v.exactOptional(Visibility),
  /** An instant to come; null to keep it. */
  expires_at: v.exactOptional(v.nullable(instantText)),
});
export interface FileUpdate extends v.InferOutput<typeof FileUpdate> {}

/** As stored: with where its bytes are. */
export interface FileDocument extends File {
  readonly blob: Blob;
}

export function toFile({ blob: _, ...file }: FileDocument): File {
  return file;
}
