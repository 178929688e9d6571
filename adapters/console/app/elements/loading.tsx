/** Waiting for the server. Nothing is shown for what comes at once. */
import { useEffect, useState } from "react";
import { useTexts } from "../texts/language.ts";
import { Icon } from "./icons.tsx";
import "./loading.css";

const PATIENCE_MS = 300;
/** One wait often follows another: for the files of a screen, then for its data. They count as one. */
const GAP_MS = 100;

let began = 0;
let ended = Number.NEGATIVE_INFINITY;

/** Milliseconds until the wait is worth a word. */
function patienceLeft(): number {
  const now = performance.now();
  if (now - ended > GAP_MS) began = now;
  return Math.max(0, began + PATIENCE_MS - now);
}

export function Loading() {
  const { general } = useTexts();
  const [patience] = useState(patienceLeft);
  const [isLate, setLate] = useState(patience === 0);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => {
      clearTimeout(timer);
      ended = performance.now();
    };
  }, [patience]);
  return (
    <p className="loading" role="status">
      {isLate ? (
        <>
          <Icon name="spinner" /> {general.loading}
        </>
      ) : null}
    </p>
  );
}
