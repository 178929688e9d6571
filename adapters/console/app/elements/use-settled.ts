/** Waits until somebody has stopped typing. */
import { useEffect, useState } from "react";

/** Between two letters of a search that the server answers. */
export const SEARCH_PATIENCE_MS = 150;

/** A value once it has not changed for a while. */
export function useSettled<Value>(value: Value, patienceMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), patienceMs);
    return () => clearTimeout(timer);
  }, [value, patienceMs]);
  return settled;
}
