/** What can be done with a run. */
import { useState } from "react";
import { Button } from "../../elements/controls/button.tsx";
import { Menu } from "../../elements/controls/menu.tsx";
import { useCopy } from "../../elements/controls/use-copy.tsx";
import { ConfirmDialog } from "../../elements/dialogs/confirm-dialog.tsx";
import { useNavigateFromHere } from "../../routing/location.ts";
import { client } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";
import { useScopeRefusal } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";
import { CompareDialog } from "../compare/compare-dialog.tsx";
import { hasEnded } from "../has-ended.ts";
import { runKey } from "../live/use-run.ts";
import { useShownRun } from "../run-context.ts";
import { FollowLinkDialog } from "./follow-link-dialog.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import { RetryDialog } from "./retry-dialog.tsx";

type OpenDialog = "retry" | "replay" | "cancel" | "delete" | "link" | "compare";

export function RunActions() {
  const { run: texts, general } = useTexts();
  const { live } = useShownRun();
  const { copy, dialog } = useCopy();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const { status } = live.run;
  const isEnded = hasEnded(status);
  const isRetryable = status === "failed" || status === "canceled";
  const refusal = useScopeRefusal("runs:write");
  return (
    <>
      {isRetryable ? (
        <Button kind="primary" icon="redo" refusal={refusal} onClick={() => setOpen("retry")}>
          {texts.retry}
        </Button>
      ) : null}
      <Button icon="runs" refusal={refusal} onClick={() => setOpen("replay")}>
        {texts.replay}
      </Button>
      {isEnded ? null : (
        <Button icon="stop" refusal={refusal} onClick={() => setOpen("cancel")}>
          {texts.cancelRun}
        </Button>
      )}
      <Menu
        label={general.more}
        items={[
          {
            label: texts.copyLink,
            icon: "link",
            onChoose: () => void copy(location.href),
          },
          { label: texts.followLink, icon: "person", refusal, onChoose: () => setOpen("link") },
          { label: texts.compare, icon: "history", onChoose: () => setOpen("compare") },
          {
            label: texts.deleteRun,
            icon: "trash",
            isDangerous: true,
            refusal: refusal ?? (isEnded ? undefined : texts.onlyEnded),
            onChoose: () => setOpen("delete"),
          },
        ]}
      />
      {dialog}
      {open === null ? null : <Dialogs open={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function Dialogs({ open, onClose }: { readonly open: OpenDialog; readonly onClose: () => void }) {
  const navigateFromHere = useNavigateFromHere();
  const { run: texts, runs } = useTexts();
  const { appId, live } = useShownRun();
  const { id } = live.run;
  switch (open) {
    case "retry":
      return <RetryDialog onClose={onClose} />;
    case "replay":
      return <ReplayDialog onClose={onClose} />;
    case "link":
      return <FollowLinkDialog onClose={onClose} />;
    case "compare":
      return <CompareDialog onClose={onClose} />;
    case "cancel":
      return (
        <ConfirmDialog
          title={texts.cancelTitle}
          action={texts.cancelAction}
          cancel={runs.keep}
          onClose={onClose}
          onConfirm={async () => {
            await client.runs.cancel(appId, id);
            await queryClient.invalidateQueries({ queryKey: runKey(appId, id) });
          }}
        >
          <p>{texts.cancelText}</p>
        </ConfirmDialog>
      );
    case "delete":
      return (
        <ConfirmDialog
          title={texts.deleteTitle}
          action={texts.deleteRun}
          onClose={onClose}
          onConfirm={async () => {
            await client.runs.remove(appId, id);
            navigateFromHere(`/apps/${appId}/runs`, { replace: true });
          }}
        >
          <p>{texts.deleteText}</p>
        </ConfirmDialog>
      );
  }
}
