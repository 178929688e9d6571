/** The overview of an app: what waits, what failed, what runs, what comes. An app without workflows shows how to begin. */
import { useQuery } from "@tanstack/react-query";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { Loading } from "../elements/loading.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { IdsForNames } from "../runs/ids-for-names.tsx";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { Begin } from "./begin.tsx";
import { Counts } from "./counts.tsx";
import { Failing } from "./failing.tsx";
import { FirstRun, useHasNoRuns } from "./first-run.tsx";
import { HoursChart } from "./hours-chart.tsx";
import { RecentRuns } from "./recent-runs.tsx";
import { Waits } from "./waits.tsx";
import "./overview-screen.css";

export default function OverviewScreen({ params: { app = "" } }: ScreenProps) {
  const { overview: texts, general } = useTexts();
  const mayRead = useMay("runs:read");
  const summary = useQuery({
    queryKey: [app, "summary"],
    queryFn: ({ signal }) => client.with({ signal }).apps.summary(app),
    enabled: mayRead,
    ...LIVE_QUERY,
  });
  const isNew = useIsNew(app);
  const hasNoRuns = useHasNoRuns(app);
  return (
    <div className="overview-screen">
      <PageHead title={texts.title} />
      {mayRead ? null : <EmptyState title={general.needsScope("runs:read")} />}
      {isNew ? <Begin appId={app} /> : null}
      {isNew === false && hasNoRuns === true ? <FirstRun appId={app} /> : null}
      {summary.isLoading || isNew === undefined || hasNoRuns === undefined ? <Loading /> : null}
      {summary.error === null || summary.data !== undefined ? null : (
        <ProblemNote error={summary.error} onRetry={() => void summary.refetch()} />
      )}
      {summary.data === undefined || isNew !== false || hasNoRuns !== false ? null : (
        <>
          <IdsForNames />
          <Counts appId={app} summary={summary.data} />
          <div className="panels">
            <Waits appId={app} />
            <HoursChart summary={summary.data} />
            <Failing appId={app} summary={summary.data} />
            <RecentRuns appId={app} />
          </div>
        </>
      )}
    </div>
  );
}

/** Whether the app has no workflow yet; undefined until it is known. */
function useIsNew(app: string): boolean | undefined {
  const mayRead = useMay("workflows:read");
  const first = useQuery({
    queryKey: [app, "workflows", "first"],
    queryFn: ({ signal }) => client.with({ signal }).workflows.list(app, { take: 1 }),
    enabled: mayRead,
    ...LIVE_QUERY,
  });
  if (!mayRead || first.error !== null) return false;
  return first.data === undefined ? undefined : first.data.items.length === 0;
}
