/** The status of a run or a step: a sign, a word and a colour. */
import type { RunStatus } from "../../../../../src/runs/run.ts";
import type { STEP_STATUSES } from "../../../../../src/runs/run-step.ts";
import { useTexts } from "../../texts/language.ts";
import { Icon, type IconName } from "../icons.tsx";
import "./status-sign.css";

export type ShownStatus = RunStatus | (typeof STEP_STATUSES)[number];

const SIGNS: Readonly<Record<ShownStatus, IconName>> = {
  queued: "clock",
  pending: "circle",
  running: "spinner",
  waiting: "clock",
  succeeded: "check",
  failed: "cross",
  skipped: "skip",
  canceled: "stop",
};

export function StatusSign({
  status,
  isForPerson = false,
  isWordHidden = false,
}: {
  readonly status: ShownStatus;
  /** Whether what waits needs an answer of a person: else it goes on by itself. */
  readonly isForPerson?: boolean;
  readonly isWordHidden?: boolean;
}) {
  const { statuses } = useTexts();
  return (
    <span className={`status-sign ${status}`} title={isWordHidden ? statuses[status] : undefined}>
      <Icon name={status === "waiting" && isForPerson ? "person" : SIGNS[status]} size={14} />
      <span className={isWordHidden ? "visually-hidden" : undefined}>{statuses[status]}</span>
    </span>
  );
}
