/** What can be done with the selected runs. */
import { useRef, useState } from "react";
import { Button } from "../../elements/controls/button.tsx";
import { ConfirmDialog } from "../../elements/dialogs/confirm-dialog.tsx";
import { useBusy } from "../../elements/dialogs/use-action.ts";
import type { IconName } from "../../elements/icons.tsx";
import { useScopeRefusal } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";
import type { RunList } from "../run-list.ts";
import type { Selection } from "../selection.ts";
import { ACTIONS, type Action, applicable } from "./bulk-action.ts";
import { useIsExporting } from "./export/run-exports.ts";
import { useRoomForBar } from "./use-room-for-bar.ts";
import "./bulk-bar.css";

const ICONS: Readonly<Record<Action, IconName>> = { retry: "redo", replay: "loop", cancel: "stop", delete: "trash" };

interface BulkBarProps {
  readonly list: RunList;
  readonly selection: Selection;
  readonly onSelectEverything: () => void;
  readonly onClear: () => void;
  readonly onAct: (action: Action) => Promise<unknown>;
  readonly onExport: () => Promise<void>;
}

export function BulkBar({ list, selection, onSelectEverything, onClear, onAct, onExport }: BulkBarProps) {
  const { runs: texts } = useTexts();
  const refusal = useScopeRefusal("runs:write");
  const [asked, setAsked] = useState<Action | null>(null);
  const { runs, isEverything } = selection;
  const bar = useRef<HTMLElement>(null);
  const { isBusy, during } = useBusy();
  const isExporting = useIsExporting();
  useRoomForBar(bar, "--bulk-bar");
  const canSelectMore = !isEverything && (list.hasMore || (list.total ?? 0) > runs.size);
  return (
    <section ref={bar} className="bulk-bar" aria-label={words(selection, list, texts)}>
      <strong role="status">{words(selection, list, texts)}</strong>
      {canSelectMore ? (
        <button type="button" className="link-button" onClick={onSelectEverything}>
          {texts.selectEverything}
        </button>
      ) : null}
      <span className="actions">
        {ACTIONS.map((action) => {
          const isUseless = !isEverything && applicable(action, selection).length === 0;
          return (
            <Button
              key={action}
              icon={ICONS[action]}
              kind={action === "delete" ? "danger" : "plain"}
              disabled={isUseless}
              refusal={refusal}
              onClick={() => setAsked(action)}
            >
              {texts.actions[action]}
            </Button>
          );
        })}
        <Button icon="download" isBusy={isBusy || isExporting} onClick={() => void during(onExport)}>
          {texts.export}
        </Button>
        <Button kind="quiet" icon="close" onClick={onClear}>
          {texts.clearSelection}
        </Button>
      </span>
      {asked === null ? null : <Ask {...{ list, selection, onAct }} action={asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

function words(
  { runs, isEverything }: Selection,
  { total }: RunList,
  texts: ReturnType<typeof useTexts>["runs"],
): string {
  if (!isEverything) return texts.selected(runs.size);
  return total === undefined ? texts.everythingSelected : texts.everythingCounted(total);
}

interface AskProps extends Pick<BulkBarProps, "list" | "selection" | "onAct"> {
  readonly action: Action;
  readonly onClose: () => void;
}

function Ask({ list, selection, onAct, action, onClose }: AskProps) {
  const { runs: texts } = useTexts();
  const { isEverything, runs } = selection;
  const count = applicable(action, selection).length;
  const all = list.total === undefined ? texts.everything : texts.runsOf(list.total);
  return (
    <ConfirmDialog
      title={texts.asks[action](isEverything ? all : texts.runsOf(count))}
      action={action === "cancel" ? texts.cancelRuns : texts.actions[action]}
      cancel={texts.keep}
      isDangerous={action === "delete" || action === "cancel"}
      onConfirm={() => onAct(action)}
      onClose={onClose}
    >
      <p>{texts.explains[action]}</p>
      {isEverything || count === runs.size ? null : <p>{texts.applicable(count, runs.size)}</p>}
    </ConfirmDialog>
  );
}
