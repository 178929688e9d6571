/** Something that a person starts: whether it goes on, and what went wrong. */
import { useRef, useState } from "react";
import { isServerError } from "../../server/client.ts";

export interface Action {
  /** Whether it goes on, or has worked a moment ago. */
  readonly isBusy: boolean;
  /** What the last attempt rejected with; null if it succeeded. */
  readonly error: unknown;
  /** Runs it, unless it is running. Resolves to whether it succeeded. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
}

export function useAction(): Action {
  const { isBusy, during } = useBusy();
  const isRunning = useRef(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (act: () => Promise<unknown>) => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setError(null);
    try {
      await during(act);
      return true;
    } catch (cause) {
      setError(cause);
      return false;
    } finally {
      isRunning.current = false;
    }
  };
  return { isBusy, error, run };
}

/** The longest time between the two clicks of a double click, on most systems. */
const DOUBLE_CLICK_MS = 500;

interface Busy {
  /**
   * Whether something goes on. After it has worked, for the time of a double click: an answer may come between the two
   * clicks, and the second one is no order of its own.
   */
  readonly isBusy: boolean;
  /** Runs something, and rejects as it does. */
  readonly during: (act: () => Promise<unknown>) => Promise<void>;
}

export function useBusy(): Busy {
  const [count, setCount] = useState(0);
  const end = () => setCount((before) => before - 1);
  const during = async (act: () => Promise<unknown>) => {
    setCount((before) => before + 1);
    try {
      await act();
      setTimeout(end, DOUBLE_CLICK_MS);
    } catch (cause) {
      end();
      throw cause;
    }
  };
  return { isBusy: count > 0, during };
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
