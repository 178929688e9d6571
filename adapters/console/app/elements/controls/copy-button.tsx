/** Copies a text, and says so. */
import { useEffect, useState } from "react";
import { useTexts } from "../../texts/language.ts";
import { IconButton } from "./button.tsx";

const SHOWN_MS = 2_000;

export function CopyButton({ text, label }: { readonly text: string | (() => string); readonly label?: string }) {
  const { general } = useTexts();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    setCopied(true);
  };
  return (
    <>
      <IconButton icon={isCopied ? "check" : "copy"} label={label ?? general.copy} onClick={() => void copy()} />
      <span role="status" className="visually-hidden">
        {isCopied ? general.copied : ""}
      </span>
    </>
  );
}
