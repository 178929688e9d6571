/** Copies texts. Where the browser refuses, shows the text instead, so that its reader can copy it. */
import { type ReactNode, useState } from "react";
import { createPortal } from "react-dom";
import { useTexts } from "../../texts/language.ts";
import { Dialog } from "../dialogs/dialog.tsx";

interface Copy {
  /** Resolves to whether it was copied. */
  readonly copy: (text: string) => Promise<boolean>;
  /** To be drawn somewhere. */
  readonly dialog: ReactNode;
}

export function useCopy(): Copy {
  const { general } = useTexts();
  const [refused, setRefused] = useState<string | null>(null);
  const copy = async (text: string) => {
    try {
      // There is no clipboard without HTTPS.
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      setRefused(text);
      return false;
    }
  };
  const dialog =
    refused === null
      ? null
      : createPortal(
          <Dialog title={general.copy} onClose={() => setRefused(null)}>
            <p>{general.notCopied}</p>
            <textarea
              readOnly
              rows={4}
              aria-label={general.value}
              value={refused}
              onFocus={({ target }) => target.select()}
            />
          </Dialog>,
          document.body,
        );
  return { copy, dialog };
}
