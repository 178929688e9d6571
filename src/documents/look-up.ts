/** Looks up what may not exist. */
import { isStepwellError } from "../errors.ts";

export type LookUp<T> =
  | { readonly ok: true; readonly value: T }
  /** `message` says what does not exist. */
  | { readonly ok: false; readonly message: string };

/** Turns `not_found` into a result. Other errors are thrown. */
export async function lookUp<T>(found: Promise<T>): Promise<LookUp<T>> {
  try {
    return { ok: true, value: await found };
  } catch (error) {
    if (!isStepwellError(error, "not_found")) throw error;
    return { ok: false, message: error.message };
  }
}

/** Null for what does not exist. */
export async function unlessMissing<T>(found: Promise<T>): Promise<T | null> {
  const result = await lookUp(found);
  return result.ok ? result.value : null;
}
