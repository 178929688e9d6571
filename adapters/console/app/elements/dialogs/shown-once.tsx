/** A secret that the server returns once: to be copied now. */
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
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {general.close}
        </Button>
      }
    >
      <p>{hint}</p>
      <p className="shown-once">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </p>
    </Dialog>
  );
}
