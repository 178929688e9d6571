/** What uses the latest version of a workflow, and so the one that is about to be deployed. */
import { useQuery } from "@tanstack/react-query";
import type { Settings } from "../../../../../src/workflows/settings.ts";
import type { Workflow } from "../../../../../src/workflows/workflow.ts";
import { Users } from "../../elements/lists/users.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { Link } from "../../routing/link.tsx";
import { client } from "../../server/client.ts";
import { useMay } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";

interface AffectedUsesProps {
  readonly workflow: Workflow;
  readonly settings: Settings | undefined;
}

export function AffectedUses({ workflow, settings }: AffectedUsesProps) {
  const { editor: texts } = useTexts();
  return (
    <section className="affected-uses">
      <h3>{texts.affects}</h3>
      <AffectedList workflow={workflow} settings={settings} />
    </section>
  );
}

function AffectedList({ workflow: { app_id: appId, id }, settings }: AffectedUsesProps) {
  const { editor: texts, general } = useTexts();
  const mayReadHooks = useMay("hooks:read");
  const uses = useQuery({
    queryKey: [appId, "workflows", id, "uses"],
    queryFn: () => client.workflows.uses(appId, id),
  });
  const hooks = useQuery({
    queryKey: [appId, "hooks", "uses", id],
    queryFn: () => client.hooks.list(appId, { workflow_id: id }),
    enabled: mayReadHooks,
  });
  const error = uses.error ?? hooks.error;
  if (error !== null) return <ProblemNote error={error} />;
  if (uses.data === undefined || (mayReadHooks && hooks.data === undefined)) return <Loading />;
  // Which version a step of another workflow runs is in that workflow.
  const users = uses.data.users.filter(({ type, version }) => type === "workflow" || version === "latest");
  const urls = hooks.data?.items ?? [];
  const events = settings?.start_on ?? [];
  if (users.length + urls.length + events.length === 0 && !uses.data.more) return <p>{texts.affectsNothing}</p>;
  return (
    <>
      <Users appId={appId} users={users} />
      <ul className="users">
        {urls.map((hook) => (
          <li key={hook.id}>
            <span className="kind">{texts.affectsHook}</span>{" "}
            <Link to={`/apps/${appId}/webhooks`}>{`${hook.method} ${hook.path}`}</Link>
          </li>
        ))}
        {events.map(({ name }) => (
          <li key={name}>
            <span className="kind">{texts.affectsEvent}</span> <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      {users.some(({ type }) => type === "workflow") ? <p className="soft">{texts.affectsWorkflows}</p> : null}
      {uses.data.more || hooks.data?.more === true ? <p className="soft">{general.andMore}</p> : null}
    </>
  );
}
