/** The text of a field for a number. */
import { useState } from "react";

interface Typed {
  readonly text: string;
  /** The number that the text means. */
  readonly value: number | undefined;
  /** The number before it, which comes until the new one has arrived; null once it has. */
  readonly before: { readonly value: number | undefined } | null;
}

interface NumberText {
  readonly text: string;
  /** @param value What the number is from now on. */
  readonly setTyped: (text: string, value: number | undefined) => void;
}

/** The number as it was typed, while it is the same: else "1.0" would become "1" on the way to "1.05". */
export function useNumberText(value: number | undefined): NumberText {
  const [typed, setTyped] = useState<Typed | null>(null);
  const hasArrived = typed !== null && typed.value === value;
  if (hasArrived && typed.before !== null) setTyped({ ...typed, before: null });
  const isOnItsWay = typed !== null && typed.before !== null && typed.before.value === value;
  return {
    text: hasArrived || isOnItsWay ? typed.text : value === undefined ? "" : String(value),
    setTyped: (text, next) => setTyped({ text, value: next, before: { value } }),
  };
}
