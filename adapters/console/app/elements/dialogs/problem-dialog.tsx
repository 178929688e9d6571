/** For actions without a form of their own: shows what went wrong in a dialog. */
import { type ReactNode, useState } from "react";
import { useTexts } from "../../texts/language.ts";
import { Button } from "../controls/button.tsx";
import { ProblemNote } from "../problem-note.tsx";
import { Dialog } from "./dialog.tsx";
import { useBusy } from "./use-action.ts";

/** @param title What has not happened. @default that it did not work */
export function useProblemDialog(title?: string): {
  /** To be drawn somewhere. */
  readonly dialog: ReactNode;
  /** Runs something, and shows the dialog if it rejects. */
  readonly attempt: (act: () => Promise<unknown>) => Promise<void>;
  /** For the buttons that begin it. */
  readonly isBusy: boolean;
} {
  const { general } = useTexts();
  const [error, setError] = useState<unknown>(null);
  const { isBusy, during } = useBusy();
  const close = () => setError(null);
  return {
    dialog:
      error === null ? null : (
        <Dialog
          title={title ?? general.failed}
          onClose={close}
          actions={<Button onClick={close}>{general.close}</Button>}
        >
          <ProblemNote error={error} />
        </Dialog>
      ),
    attempt: (act) => during(act).catch(setError),
    isBusy,
  };
}
