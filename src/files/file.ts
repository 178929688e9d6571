/** A file: what an upload became. */
import * as v from "valibot";
import type { Blob } from "../ports/blobs.ts";
import { Visibility } from "../schema.ts";

export const File = v.object({
  id: v.string(),
  app_id: v.string(),
  name: v.string(),
  size: v.number(),
  /** By content; where that does not tell, by name; else application/octet-stream. */
  mime_type: v.string(),
  /** Hex. */
  sha256: v.string(),
  visibility: Visibility,
  created_at: v.string(),
});
export interface File extends Readonly<v.InferOutput<typeof File>> {}

/** As stored: with where its bytes are. */
export interface FileDocument extends File {
  readonly blob: Blob;
}

export function publicFields({ blob: _, ...file }: FileDocument): File {
  return file;
}
