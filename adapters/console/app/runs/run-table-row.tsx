/** A run in the list. */
import { type MouseEvent, memo, type Ref, useId, useRef } from "react";
import { StatusSign } from "../elements/values/status-sign.tsx";
import { Duration, Time } from "../elements/values/time.tsx";
import type { RunRow } from "../live/run-rows.ts";
import { Link } from "../routing/link.tsx";
import { noteWayOn } from "../routing/location.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { Cell } from "./cell.tsx";
import { openRun } from "./list-return.ts";
import { useWorkflowName } from "./workflow-names.ts";

interface RunTableRowProps {
  readonly appId: string;
  readonly run: RunRow;
  readonly index: number;
  /** Pixels from the first row. */
  readonly top: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (run: RunRow, isRange: boolean) => void;
  readonly onFocus: (id: string) => void;
  readonly ref: Ref<HTMLDivElement>;
}

export const RunTableRow = memo(function RunTableRow(props: RunTableRowProps) {
  const { appId, run, index, top, isActive, isSelected, onSelect, onFocus, ref } = props;
  const { runs: texts } = useTexts();
  const name = useWorkflowName(appId, run.workflow_id);
  const format = useFormat();
  const id = useId();
  /** Whether the click that changes the box extends the selection. A change event does not say it. */
  const isRange = useRef(false);

  /** The whole row opens its run, except for what has a use of its own, and while text is selected. */
  function open(event: MouseEvent): void {
    const isOwn = event.target instanceof Element && event.target.closest("a, input, label") !== null;
    if (isOwn || event.button !== 0 || getSelection()?.isCollapsed === false) return;
    if (event.shiftKey || event.ctrlKey || event.metaKey) onSelect(run, event.shiftKey);
    else openRun(appId, run.id);
  }

  return (
    <div
      ref={ref}
      role="row"
      className={`run-row${run.isGone === true ? " gone" : ""}`}
      data-index={index}
      data-run={run.id}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-labelledby={NAMED_BY.map((part) => `${id}-${part}`).join(" ")}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${top}px)` }}
      onClick={open}
      onFocus={() => onFocus(run.id)}
    >
      <Cell role="gridcell" name="select">
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={texts.select(name, `${format.short(run.created_at)}, ${endOf(run.id)}`)}
            checked={isSelected}
            onClick={({ shiftKey }) => {
              isRange.current = shiftKey;
            }}
            onChange={() => onSelect(run, isRange.current)}
          />
        </label>
      </Cell>
      <Cell role="gridcell" name="status" id={`${id}-status`}>
        <StatusSign status={run.status} />
      </Cell>
      <Cell role="rowheader" name="workflow">
        <span className="line">
          <Link to={`/apps/${appId}/runs/${run.id}`} tabIndex={-1} onClick={() => noteWayOn(run.id)}>
            <bdi id={`${id}-name`}>{name}</bdi>
          </Link>{" "}
          <span id={`${id}-version`} className="version">
            {run.version === 0 ? texts.draft : texts.versionOf(run.version)}
          </span>
        </span>
        {run.tags.length === 0 ? null : (
          <span className="line">
            {run.tags.map((tag) => (
              <span key={tag} className="tag" title={tag}>
                <bdi>{tag}</bdi>
              </span>
            ))}
          </span>
        )}
      </Cell>
      <Cell role="gridcell" name="trigger" id={`${id}-trigger`}>
        {texts.triggers[run.trigger.type]}
      </Cell>
      <Cell role="gridcell" name="created" id={`${id}-created`}>
        <Time at={run.created_at} />
      </Cell>
      <Cell role="gridcell" name="took" id={`${id}-took`}>
        {run.started_at === null ? null : <Duration from={run.started_at} to={run.finished_at} />}
      </Cell>
      <Cell role="gridcell" name="error" id={`${id}-error`}>
        {run.isGone === true ? <strong>{texts.gone}</strong> : <RunError run={run} />}
      </Cell>
    </div>
  );
});

/** The end of an id, which tells runs of the same minute apart. */
const endOf = (id: string) => `…${id.slice(-6)}`;

/** Else its name would begin with that of its checkbox, and run words together. */
const NAMED_BY = ["status", "name", "version", "trigger", "created", "took", "error"] as const;

function RunError({ run: { error } }: Pick<RunTableRowProps, "run">) {
  if (error === null) return null;
  const { step, code, message } = error;
  return (
    <span title={message}>
      <code>{step === undefined ? code : `${step}: ${code}`}</code> <bdi>{message}</bdi>
    </span>
  );
}
