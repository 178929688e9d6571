/** Whether the page is seen. A hidden one follows nothing. */
import { useSyncExternalStore } from "react";

function subscribe(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

export const usePageVisible = (): boolean => useSyncExternalStore(subscribe, () => !document.hidden);
