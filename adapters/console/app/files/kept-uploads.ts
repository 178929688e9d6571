/** Upload addresses that this tab has created. The server returns each once, because anyone who has it can send a file. */
import { isRecord } from "../../../../src/json.ts";
import type { Upload } from "../../../../src/uploads/upload.ts";
import { keepValues, keptValues } from "../forms/kept-values.ts";

const nameOf = (appId: string, id: string) => `upload/${appId}/${id}`;

/** Where storage is off, the address is known until the page is left. */
let latest: Upload | null = null;

export function keepUpload(appId: string, upload: Upload): void {
  latest = upload;
  keepValues(nameOf(appId, upload.future_file_id), upload);
}

/** @param id That the file will have. Null for an address of another tab. */
export function keptUpload(appId: string, id: string): Upload | null {
  if (latest?.future_file_id === id) return latest;
  const kept = keptValues(nameOf(appId, id));
  if (!isRecord(kept)) return null;
  const { upload_url, expires_at } = kept;
  if (typeof upload_url !== "string" || typeof expires_at !== "string") return null;
  return { upload_url, expires_at, future_file_id: id };
}
