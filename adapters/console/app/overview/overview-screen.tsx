/** The overview of an app: what waits, what failed, what runs. */
import { useQuery } from "@tanstack/react-query";
import { EmptyState } from "../elements/empty-state.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { StatusSign } from "../elements/status-sign.tsx";
import { Time } from "../elements/time.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import { Link } from "../routing/link.tsx";
import type { ScreenProps } from "../screens.ts";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

export default function OverviewScreen({ params: { app = "" } }: ScreenProps) {
  const { overview: texts } = useTexts();
  const runs = useQuery({
    queryKey: [app, "runs", "recent"],
    queryFn: () => client.runs.list(app, { take: 8 }),
    ...LIVE_QUERY,
  });
  return (
    <>
      <PageHead title={texts.title} />
      {runs.data?.items.length === 0 ? <EmptyState title={texts.empty} /> : null}
      <ul>
        {runs.data?.items.map((run) => (
          <li key={run.id}>
            <StatusSign status={run.status} /> <Link to={`/apps/${app}/runs/${run.id}`}>{run.id}</Link>{" "}
            <Time at={run.created_at} />
          </li>
        ))}
      </ul>
    </>
  );
}
