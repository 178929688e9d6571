/** Rolls back to an earlier version: deploys it again, after showing what changes. */
import { useQuery } from "@tanstack/react-query";
import type { Version } from "../../../../src/workflows/version.ts";
import { ConfirmDialog } from "../elements/dialogs/confirm-dialog.tsx";
import { Loading } from "../elements/loading.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { DifferenceList } from "./difference-list.tsx";
import { ReplacingFile } from "./replacing-file.tsx";

interface RollBackDialogProps {
  readonly appId: string;
  readonly workflowId: string;
  /** Name of the workflow. */
  readonly name: string;
  readonly version: Version;
  /** Number of the latest version. */
  readonly latest: number;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function RollBackDialog({ appId, workflowId, name, version, latest, onDone, onClose }: RollBackDialogProps) {
  const { versions: texts, editor } = useTexts();
  const now = useQuery({
    queryKey: [appId, "workflows", workflowId, "versions", latest],
    queryFn: ({ signal }) => client.with({ signal }).workflows.getVersion(appId, workflowId, latest),
  });
  return (
    <ConfirmDialog
      title={texts.rollBackTitle(version.version)}
      action={texts.rollBackAction}
      isDangerous={false}
      onConfirm={async () => {
        await client.workflows.rollback(appId, workflowId, version.version);
        onDone();
      }}
      onClose={onClose}
      done={editor.deployed(latest + 1)}
    >
      <p>{texts.rollBackText(version.version, latest + 1)}</p>
      <ReplacingFile appId={appId} name={name} />
      {now.data === undefined ? <Loading /> : <DifferenceList before={now.data} after={version} />}
    </ConfirmDialog>
  );
}
