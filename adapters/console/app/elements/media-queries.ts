/** What the window and the system are like, in components. */
import { useSyncExternalStore } from "react";

function mediaQuery(query: string): () => boolean {
  const media = matchMedia(query);
  const subscribe = (listener: () => void) => {
    media.addEventListener("change", listener);
    return () => media.removeEventListener("change", listener);
  };
  return () => useSyncExternalStore(subscribe, () => media.matches);
}

/** Whether there is room for one thing only. */
export const useNarrow = mediaQuery("(width < 900px)");

/** Whether the window is that of a phone, or zoomed in. */
export const usePhone = mediaQuery("(width < 700px)");

/** Whether a table has room for few columns. */
export const useMedium = mediaQuery("(700px <= width < 1000px)");

export const useDarkSystem = mediaQuery("(prefers-color-scheme: dark)");
