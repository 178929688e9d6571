/** What to do in an app that has workflows, but no runs: start one of the newest. */
import { useQuery } from "@tanstack/react-query";
import { Icon } from "../elements/icons.tsx";
import { nameOr } from "../elements/values/visible-text.ts";
import { LIVE_QUERY } from "../live/live-query.ts";
import { Link } from "../routing/link.tsx";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";

/** Of these, the newest deployed one is offered. */
const LOOKED_AT = 20;

export function FirstRun({ appId }: { readonly appId: string }) {
  const { overview: texts, newRun, runs } = useTexts();
  const workflows = useQuery({
    queryKey: [appId, "workflows", "newest"],
    queryFn: ({ signal }) => client.with({ signal }).workflows.list(appId, { take: LOOKED_AT }),
    ...LIVE_QUERY,
  });
  const items = workflows.data?.items ?? [];
  const workflow = items.find(({ latest_version }) => latest_version !== null) ?? items[0];
  if (workflow === undefined) return null;
  const { id, name } = workflow;
  return (
    <section className="begin">
      <h2>{texts.noRunYet}</h2>
      <p>{texts.noRunYetText}</p>
      <p className="first-run">
        <Link to={`/apps/${appId}/workflows/${id}/new-run`} current="none" className="button primary">
          <Icon name="runs" /> {newRun.titleOf(nameOr(name, id))}
        </Link>
        <Link to={`/apps/${appId}/workflows`} current="none">
          {runs.openWorkflows}
        </Link>
      </p>
    </section>
  );
}

/** Whether the app has no run; undefined until it is known. */
export function useHasNoRuns(appId: string): boolean | undefined {
  const mayRead = useMay("runs:read");
  const mayReadWorkflows = useMay("workflows:read");
  const first = useQuery({
    queryKey: [appId, "runs", "first"],
    queryFn: ({ signal }) => client.with({ signal }).runs.list(appId, { take: 1 }),
    enabled: mayRead && mayReadWorkflows,
    ...LIVE_QUERY,
  });
  if (!mayRead || !mayReadWorkflows || first.error !== null) return false;
  return first.data === undefined ? undefined : first.data.items.length === 0;
}
