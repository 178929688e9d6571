/** What has become of an upload address: the address says it itself, also when its file is gone. */
import { useQuery } from "@tanstack/react-query";
import { isRecord } from "../../../../src/json.ts";
import type { Upload } from "../../../../src/uploads/upload.ts";
import { LIVE_QUERY } from "../live/live-query.ts";
import { client, isServerError, readAddress } from "../server/client.ts";
import { useNow } from "../server/now.ts";
import { useMay } from "../session/session-context.ts";

/** `arrived`: its file is there, as far as the session may know. `deleted`: its file has arrived, and is gone. */
export type UploadState = "open" | "expired" | "arrived" | "deleted";

export function useUploadState(appId: string, upload: Upload): UploadState {
  const { upload_url, future_file_id, expires_at } = upload;
  const mayRead = useMay("files:read");
  const used = useQuery({
    queryKey: [appId, "uploads", future_file_id],
    queryFn: async ({ signal }): Promise<UploadState | null> => {
      if (!(await isUsed(upload_url, signal))) return null;
      return mayRead && !(await hasFile(appId, future_file_id, signal)) ? "deleted" : "arrived";
    },
    ...LIVE_QUERY,
  });
  const isExpired = useNow() >= Date.parse(expires_at);
  return used.data ?? (isExpired ? "expired" : "open");
}

async function isUsed(url: string, signal: AbortSignal): Promise<boolean> {
  // The page may be open at another name of the same server.
  const response = await readAddress(new URL(url).pathname, signal);
  if (response.status === 404) return false; // long expired
  if (!response.ok) throw new Error(`The upload address has responded with ${response.status}.`);
  const status: unknown = await response.json();
  return isRecord(status) && status["status"] === "used";
}

async function hasFile(appId: string, fileId: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.with({ signal }).files.get(appId, fileId);
    return true;
  } catch (error) {
    if (isServerError(error) && error.code === "not_found") return false;
    throw error;
  }
}
