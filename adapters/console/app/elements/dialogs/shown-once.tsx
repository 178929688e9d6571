/** A secret that the server returns once: to be copied now. Until then, only its button closes it. */
import { useRef, useState } from "react";
import { useLeaveGuard } from "../../routing/use-leave-guard.ts";
import { useTexts } from "../../texts/language.ts";
import { Button } from "../controls/button.tsx";
import { CopyButton } from "../controls/copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import "./shown-once.css";

interface ShownOnceProps {
  readonly title: string;
  readonly hint: string;
  readonly secret: string;
  readonly onClose: () => void;
}

export function ShownOnce({ title, hint, secret, onClose }: ShownOnceProps) {
  const { general } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const isStored = useRef(false);
  useLeaveGuard(() => !isCopied && !isStored.current, general.leaveShownOnce);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isHeld={!isCopied}
      actions={
        <Button
          kind="primary"
          onClick={() => {
            isStored.current = true;
            onClose();
          }}
        >
          {general.storedIt}
        </Button>
      }
    >
      <p>{hint}</p>
      <p className="shown-once" data-focus-first>
        <code>{secret}</code>
        <CopyButton text={secret} onCopied={() => setCopied(true)} />
      </p>
    </Dialog>
  );
}
