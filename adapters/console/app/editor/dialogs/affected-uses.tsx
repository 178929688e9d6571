/** What uses the latest version of a workflow, and so the one that is about to be deployed. */
import { useQuery } from "@tanstack/react-query";
import type { Settings } from "../../../../../src/workflows/settings.ts";
import type { Workflow } from "../../../../../src/workflows/workflow.ts";
import { Link } from "../../routing/link.tsx";
import { client } from "../../server/client.ts";
import { useMay } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";

const MAX = 1_000;

interface AffectedUsesProps {
  readonly workflow: Workflow;
  readonly settings: Settings | undefined;
}

export function AffectedUses({ workflow: { app_id: appId, id }, settings }: AffectedUsesProps) {
  const { editor: texts } = useTexts();
  const schedules = useCount("schedules:read", [appId, "schedules", "uses", id], async () => {
    const { items } = await client.schedules.list(appId, { workflow_id: id, take: MAX });
    return items.filter(({ version }) => version === "latest").length;
  });
  const hooks = useCount("hooks:read", [appId, "hooks", "uses", id], async () => {
    const { items } = await client.hooks.list(appId, { take: MAX });
    return items.filter(({ workflow_id }) => workflow_id === id).length;
  });
  const rules = useCount("collections:read", [appId, "collections", "uses", id], async () => {
    const { items } = await client.collections.list(appId, { take: MAX });
    return items
      .flatMap(({ config }) => config.rules)
      .filter((rule) => rule.workflow_id === id && rule.workflow_use_latest).length;
  });
  const events = (settings?.start_on ?? []).map(({ name }) => name);
  const isNothing = schedules === 0 && hooks === 0 && rules === 0 && events.length === 0;
  return (
    <section>
      <h3>{texts.affects}</h3>
      {isNothing ? (
        <p>{texts.affectsNothing}</p>
      ) : (
        <ul>
          {schedules > 0 ? (
            <li>
              <Link to={`/apps/${appId}/schedules`}>{texts.affectsSchedules(schedules)}</Link>
            </li>
          ) : null}
          {hooks > 0 ? (
            <li>
              <Link to={`/apps/${appId}/webhooks`}>{texts.affectsHooks(hooks)}</Link>
            </li>
          ) : null}
          {rules > 0 ? (
            <li>
              <Link to={`/apps/${appId}/collections`}>{texts.affectsRules(rules)}</Link>
            </li>
          ) : null}
          {events.length > 0 ? <li>{texts.affectsEvents(events.join(", "))}</li> : null}
        </ul>
      )}
    </section>
  );
}

/** What the session may not read is not counted. */
function useCount(
  scope: Parameters<typeof useMay>[0],
  queryKey: readonly unknown[],
  read: () => Promise<number>,
): number {
  const enabled = useMay(scope);
  return useQuery({ queryKey, queryFn: read, enabled }).data ?? 0;
}
