/** Waits until somebody has stopped typing. */
import { useEffect, useState } from "react";

/** A value once it has not changed for a while. */
export function useSettled<Value>(value: Value, patienceMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), patienceMs);
    return () => clearTimeout(timer);
  }, [value, patienceMs]);
  return settled;
}
