/** What the page says to screen readers of something that is done, such as when its dialog has closed. */
import { useSyncExternalStore } from "react";

interface Sentence {
  readonly text: string;
  /** The same sentence is said again. */
  readonly number: number;
}

let said: Sentence = { text: "", number: 0 };
const listeners = new Set<() => void>();

export function announce(text: string): void {
  said = { text, number: said.number + 1 };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Once on the page, and always there: screen readers follow only what they know. */
export function Announced() {
  const { text, number } = useSyncExternalStore(subscribe, () => said);
  return (
    <div aria-live="polite" className="visually-hidden announced">
      <span key={number}>{text}</span>
    </div>
  );
}
