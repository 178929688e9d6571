/** Whether there is room for one thing only. */
import { useSyncExternalStore } from "react";

const NARROW = matchMedia("(width < 900px)");
/** Of a phone, or of a window that is zoomed in. */
const PHONE = matchMedia("(width < 700px)");

const subscribeTo = (query: MediaQueryList) => (listener: () => void) => {
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};
const subscribeToNarrow = subscribeTo(NARROW);
const subscribeToPhone = subscribeTo(PHONE);

export const useNarrow = (): boolean => useSyncExternalStore(subscribeToNarrow, () => NARROW.matches);

export const usePhone = (): boolean => useSyncExternalStore(subscribeToPhone, () => PHONE.matches);
