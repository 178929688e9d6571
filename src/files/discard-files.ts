/** Deletes files that were stored for a request that was refused. */
import { isStepwellError } from "../errors.ts";

export async function discardFiles(
  remove: (appId: string, fileId: string) => Promise<void>,
  appId: string,
  fileIds: readonly string[],
): Promise<void> {
  for (const id of fileIds) {
    await remove(appId, id).catch((error: unknown) => {
      if (!isStepwellError(error, "not_found")) throw error;
    });
  }
}
