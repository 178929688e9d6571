/** Copies a text, and says so. */
import { useEffect, useState } from "react";
import { useTexts } from "../../texts/language.ts";
import type { IconName } from "../icons.tsx";
import { IconButton } from "./button.tsx";
import { useCopy } from "./use-copy.tsx";

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly label?: string;
  /** Another one beside a button that copies something else. @default "copy" */
  readonly icon?: IconName;
  readonly onCopied?: () => void;
}

export function CopyButton({ text, label, icon = "copy", onCopied }: CopyButtonProps) {
  const { general } = useTexts();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const { copy, dialog } = useCopy();
  const start = async () => {
    if (!(await copy(typeof text === "string" ? text : text()))) return;
    setCopied(true);
    onCopied?.();
  };
  return (
    <>
      <IconButton icon={isCopied ? "check" : icon} label={label ?? general.copy} onClick={() => void start()} />
      <span role="status" className="visually-hidden">
        {isCopied ? general.copied : ""}
      </span>
      {dialog}
    </>
  );
}
