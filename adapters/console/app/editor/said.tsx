/** What the editor says of the last action: near the toolbar, and only until the draft changes again. */
import { useEffect } from "react";
import type { Definition } from "../../../../src/workflows/version.ts";
import type { Workflow } from "../../../../src/workflows/workflow.ts";
import { IconButton } from "../elements/controls/button.tsx";
import { Link } from "../routing/link.tsx";
import { useTexts } from "../texts/language.ts";

export interface SaidOfDraft {
  readonly text: string;
  /** The draft of which it holds. */
  readonly draft: Definition;
  /** The version that it is about. Its links stay until the message is closed. */
  readonly version?: number;
}

interface SaidProps {
  readonly said: SaidOfDraft | null;
  readonly workflow: Workflow;
  readonly onClose: () => void;
}

const SHOWN_MS = 8_000;

export function Said({ said, workflow, onClose }: SaidProps) {
  const { editor: texts, general } = useTexts();
  const base = `/apps/${workflow.app_id}/workflows/${workflow.id}`;
  useEffect(() => {
    if (said === null || said.version !== undefined) return undefined;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said, onClose]);
  return (
    <div className={said === null ? "visually-hidden" : "editor-said"}>
      <p role="status">{said?.text}</p>
      {said?.version === undefined ? null : (
        <>
          <Link to={`${base}/versions/${said.version}`}>{texts.openVersion}</Link>
          <Link to={`${base}/new-run?version=${said.version}`}>{texts.runVersion}</Link>
        </>
      )}
      {said === null ? null : <IconButton icon="close" label={general.close} onClick={onClose} />}
    </div>
  );
}
