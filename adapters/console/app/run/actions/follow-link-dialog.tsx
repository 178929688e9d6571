/** Makes a link through which somebody without a key follows the run. */
import { useState } from "react";
import { Button } from "../../elements/controls/button.tsx";
import { CopyButton } from "../../elements/controls/copy-button.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../../elements/refusal-focus.ts";
import { client } from "../../server/client.ts";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";

export function FollowLinkDialog({ onClose }: { readonly onClose: () => void }) {
  const { run: texts, general } = useTexts();
  const { appId, live } = useShownRun();
  const [hasOutput, setOutput] = useState(false);
  const [url, setUrl] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  useFocusOnRefusal(error);
  const [isBusy, setBusy] = useState(false);

  async function create(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      const link = await client.runs.createLink(appId, live.run.id, { output: hasOutput });
      setUrl(link.url);
    } catch (cause) {
      setError(cause);
    }
    setBusy(false);
  }

  return (
    <Dialog
      title={texts.followLinkTitle}
      onClose={onClose}
      actions={
        url === null ? (
          <>
            <Button onClick={onClose}>{general.cancel}</Button>
            <Button kind="primary" isBusy={isBusy} onClick={() => void create()}>
              {texts.followLinkCreate}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{general.close}</Button>
        )
      }
    >
      <p>{texts.followLinkText}</p>
      {url === null ? (
        <label className="check-label">
          <input type="checkbox" checked={hasOutput} onChange={(event) => setOutput(event.target.checked)} />{" "}
          {texts.followLinkOutput}
        </label>
      ) : (
        <>
          <p>{texts.followLinkReady}</p>
          <p className="copy-line">
            <code>{url}</code>
            <CopyButton text={url} />
          </p>
        </>
      )}
      {error === null ? null : <ProblemNote error={error} />}
    </Dialog>
  );
}
