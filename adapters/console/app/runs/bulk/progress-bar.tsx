/** How far something has come that is done to many runs, and what went wrong. */
import { useEffect, useId, useRef } from "react";
import { announce } from "../../elements/announced.tsx";
import { Button } from "../../elements/controls/button.tsx";
import { Link } from "../../routing/link.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";

interface ProgressBarProps {
  readonly appId: string;
  /** Of a job of the server. @default none */
  readonly jobId?: string;
  readonly title: string;
  readonly done: number;
  readonly total: number | null;
  readonly state: "running" | "stopped" | "finished";
  readonly problems: readonly { readonly run_id?: string; readonly message: string }[];
  /** Says how many problems there are, of which `problems` may be the first. Null without any. */
  readonly problemCount: string | null;
  /** What else is said. @default nothing */
  readonly note?: string | null;
  readonly onStop: (() => void) | null;
  readonly onDismiss: () => void;
}

export function ProgressBar(props: ProgressBarProps) {
  const { appId, jobId, title, done, total, state, problems, problemCount, note = null, onStop, onDismiss } = props;
  const { runs: texts } = useTexts();
  const format = useFormat();
  const id = useId();
  const outcome = state === "running" ? null : state === "stopped" ? texts.stopped : texts.finished;
  useAnnounced(state, [title, outcome, ...(outcome === null ? [] : [problemCount, note])]);
  const count = total === null ? format.number(done) : texts.doneOf(format.number(done), format.number(total));
  return (
    <section className="bulk-progress" aria-labelledby={id} data-job={jobId} tabIndex={-1}>
      <p>
        <strong>
          <bdi id={id}>{title}</bdi>
        </strong>{" "}
        · {count}
        {outcome === null ? null : ` · ${outcome}`}
        {problemCount === null ? null : ` · ${problemCount}`}
        {note === null ? null : ` · ${note}`}
      </p>
      <progress
        aria-labelledby={id}
        max={Math.max(1, total ?? done)}
        value={state === "running" && total === null ? undefined : done}
      />
      {state === "running" ? (
        <Button aria-disabled={onStop === null} onClick={() => onStop?.()}>
          {texts.stop}
        </Button>
      ) : (
        <Button kind="quiet" icon="close" onClick={onDismiss}>
          {texts.dismiss}
        </Button>
      )}
      {problems.length === 0 ? null : (
        <ul className="problems">
          {problems.map(({ run_id = "", message }) => (
            <li key={run_id}>
              <Link to={`/apps/${appId}/runs/${run_id}`}>{run_id}</Link> <bdi>{message}</bdi>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Says that it goes on, and how it has ended. Each step of its progress would be read out after it was over. */
function useAnnounced(state: ProgressBarProps["state"], parts: readonly (string | null)[]): void {
  const hasRun = useRef(false);
  const spoken = parts.filter((part) => part !== null).join(" · ");
  useEffect(() => {
    hasRun.current ||= state === "running";
    if (hasRun.current) announce(spoken);
  }, [state, spoken]);
}
