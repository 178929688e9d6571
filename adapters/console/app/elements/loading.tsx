/** Waiting for the server. Nothing is shown for what comes at once. */
import { useEffect, useState } from "react";
import { useTexts } from "../texts/language.ts";
import { Icon } from "./icons.tsx";
import "./loading.css";

const PATIENCE_MS = 300;

export function Loading() {
  const { general } = useTexts();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
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
