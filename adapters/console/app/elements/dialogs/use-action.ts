/** Something that a person starts: whether it goes on, and what went wrong. */
import { useState } from "react";
import { isServerError } from "../../server/client.ts";

export interface Action {
  readonly isBusy: boolean;
  /** What the last attempt rejected with; null if it succeeded. */
  readonly error: unknown;
  /** Runs it, unless it is running. Resolves to whether it succeeded. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
}

export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (act: () => Promise<unknown>) => {
    if (isBusy) return false;
    setBusy(true);
    setError(null);
    try {
      await act();
      return true;
    } catch (cause) {
      setError(cause);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}

/** What the server says about a field, or about something in it. Null for nothing. */
export function fieldError(error: unknown, pointer: string): string | null {
  if (!isServerError(error)) return null;
  const found = error.errors.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
  return found.length === 0 ? null : found.map(({ message }) => message).join(" ");
}

/** Whether each field that the server names is among those that a form shows. */
export function isShownAtFields(error: unknown, pointers: readonly string[]): boolean {
  if (!isServerError(error) || error.errors.length === 0) return false;
  return error.errors.every(({ pointer }) => pointers.some((one) => pointer === one || pointer.startsWith(`${one}/`)));
}
