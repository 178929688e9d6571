/** Whether there is room for one thing only. */
import { useSyncExternalStore } from "react";

const NARROW = matchMedia("(width < 900px)");

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => NARROW.matches);
