/** How far something has come that is done to many runs, and what went wrong. */
import { useId } from "react";
import { Button } from "../../elements/controls/button.tsx";
import { Link } from "../../routing/link.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";

interface ProgressBarProps {
  readonly appId: string;
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
  const { appId, title, done, total, state, problems, problemCount, note = null, onStop, onDismiss } = props;
  const { runs: texts } = useTexts();
  const format = useFormat();
  const id = useId();
  const count = total === null ? format.number(done) : texts.doneOf(format.number(done), format.number(total));
  return (
    <section className="bulk-progress" aria-labelledby={id}>
      <p id={id} role="status">
        <strong>
          <bdi>{title}</bdi>
        </strong>{" "}
        · {count}
        {state === "running" ? null : ` · ${state === "stopped" ? texts.stopped : texts.finished}`}
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
