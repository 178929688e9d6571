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
  waiting: "pause",
  succeeded: "check",
  failed: "cross",
  skipped: "skip",
  canceled: "stop",
};

const waitSign = (isForPerson: boolean): IconName => (isForPerson ? "person" : "clock");

export function StatusSign({
  status,
  isForPerson,
  isWordHidden = false,
}: {
  readonly status: ShownStatus;
  /** Whether what waits needs an answer of a person, or goes on by itself. @default not known */
  readonly isForPerson?: boolean | undefined;
  readonly isWordHidden?: boolean;
}) {
  const { statuses } = useTexts();
  return (
    <span className={`status-sign ${status}`} title={isWordHidden ? statuses[status] : undefined}>
      <Icon
        name={status === "waiting" && isForPerson !== undefined ? waitSign(isForPerson) : SIGNS[status]}
        size={14}
      />
      <span className={isWordHidden ? "visually-hidden" : undefined}>{statuses[status]}</span>
    </span>
  );
}
