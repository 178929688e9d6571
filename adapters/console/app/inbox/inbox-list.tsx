/** The list of what waits. */
import { useNarrow } from "../elements/media-queries.ts";
import { Time } from "../elements/values/time.tsx";
import { Link } from "../routing/link.tsx";
import { useWorkflowName } from "../runs/workflow-names.ts";
import { useSettings } from "../settings/use-settings.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { GivenValues } from "./given-values.tsx";
import type { WaitingEntry } from "./waiting-entries.ts";

interface InboxListProps {
  readonly appId: string;
  readonly entries: readonly WaitingEntry[];
  readonly chosen: { readonly runId: string; readonly stepKey: string } | null;
}

export function InboxList({ appId, entries, chosen }: InboxListProps) {
  const { inbox } = useTexts();
  const { hasShortcuts } = useSettings();
  const isNarrow = useNarrow();
  return (
    <>
      <nav aria-label={inbox.list} data-keeps-focus={isNarrow ? undefined : true}>
        <ul>
          {entries.map((entry) => (
            <li key={`${entry.run.run_id} ${entry.input.step_key}`}>
              <Row
                appId={appId}
                entry={entry}
                isChosen={entry.run.run_id === chosen?.runId && entry.input.step_key === chosen.stepKey}
              />
            </li>
          ))}
        </ul>
      </nav>
      {hasShortcuts ? <p className="hint about-keys">{inbox.keys}</p> : null}
    </>
  );
}

function Row({
  appId,
  entry: { run, input },
  isChosen,
}: {
  readonly appId: string;
  readonly entry: WaitingEntry;
  readonly isChosen: boolean;
}) {
  const { inbox } = useTexts();
  const format = useFormat();
  const name = useWorkflowName(appId, run.workflow_id);
  return (
    <Link
      to={`/apps/${appId}/inbox/${run.run_id}/${encodeURIComponent(input.step_key)}`}
      current="none"
      aria-current={isChosen ? "page" : undefined}
    >
      <span className="entry-step">
        <bdi>{input.step_key}</bdi>
      </span>
      <span className="entry-time">
        <Time at={input.since} />
      </span>
      <span className="entry-about">
        <bdi>{name}</bdi>
        {run.tags.map((tag) => (
          <span key={tag} className="entry-tag">
            <bdi>{tag}</bdi>
          </span>
        ))}
      </span>
      <GivenValues values={run.input_preview} />
      {input.until === null ? null : (
        <span className="entry-about">
          {inbox.until} {format.short(input.until)}
        </span>
      )}
    </Link>
  );
}
