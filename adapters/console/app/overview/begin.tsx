/** Three ways to begin in an app without workflows: a sample, an empty canvas, or a document. */
import { type ReactNode, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { useAction } from "../elements/dialogs/use-action.ts";
import { Icon, type IconName } from "../elements/icons.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { useFocusOnRefusal } from "../elements/refusal-focus.ts";
import { useNavigateFromHere } from "../routing/location.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { ImportDialog } from "../workflows/import-dialog.tsx";
import { sampleWorkflow } from "./sample.ts";

export function Begin({ appId }: { readonly appId: string }) {
  const { overview: texts } = useTexts();
  const navigateFromHere = useNavigateFromHere();
  const [isImporting, setImporting] = useState(false);
  const createSample = async () => {
    const { id } = await client.workflows.create(appId, sampleWorkflow(texts.sampleWorkflow));
    await client.workflows.deploy(appId, id);
    navigateFromHere(`/apps/${appId}/workflows/${id}/new-run`);
  };
  const createEmpty = async () => {
    const { id } = await client.workflows.create(appId, { name: texts.newWorkflow });
    navigateFromHere(`/apps/${appId}/workflows/${id}`);
  };
  const open = (id: string | null) => navigateFromHere(`/apps/${appId}/workflows${id === null ? "" : `/${id}`}`);
  return (
    <section className="begin">
      <h2>{texts.empty}</h2>
      <p>{texts.emptyText}</p>
      <ul>
        <Way icon="runs" title={texts.sample} text={texts.sampleText} onChoose={createSample} isFirst />
        <Way icon="plus" title={texts.newCanvas} text={texts.newCanvasText} onChoose={createEmpty} />
        <Way icon="code" title={texts.paste} text={texts.pasteText} onChoose={async () => setImporting(true)} />
      </ul>
      {isImporting ? <ImportDialog appId={appId} onImported={open} onClose={() => setImporting(false)} /> : null}
    </section>
  );
}

interface WayProps {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly isFirst?: boolean;
  readonly onChoose: () => Promise<void>;
}

function Way({ icon, title, text, isFirst = false, onChoose }: WayProps): ReactNode {
  const refusal = useScopeRefusal("workflows:write");
  const { isBusy, error, run } = useAction();
  const note = useFocusOnRefusal<HTMLDivElement>(error);
  return (
    <li className="way">
      <Icon name={icon} size={24} />
      <p>{text}</p>
      <Button kind={isFirst ? "primary" : "plain"} isBusy={isBusy} refusal={refusal} onClick={() => void run(onChoose)}>
        {title}
      </Button>
      {error === null ? null : <ProblemNote ref={note} error={error} />}
    </li>
  );
}
