import { isStepwellError } from "../errors.ts";

/**
 * Calls `act` again for as long as other writers change a document meanwhile on which it depends. Each conflict means that
 * another writer succeeded, so the system as a whole makes progress.
 * @param isRetried Whether a conflict on the document with this key is retried. Others are passed on to the caller.
 */
export async function retryOnConflict<T>(isRetried: (key: string) => boolean, act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isStepwellError(error, "conflict") || error.key === undefined || !isRetried(error.key)) throw error;
    }
  }
}
