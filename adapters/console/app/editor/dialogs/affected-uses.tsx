/** What uses the latest version of a workflow, and so the one that is about to be deployed. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import type { Settings } from "../../../../../src/workflows/settings.ts";
import type { Workflow } from "../../../../../src/workflows/workflow.ts";
import { Users } from "../../elements/lists/users.tsx";
import { Loading } from "../../elements/loading.tsx";
import { Link } from "../../routing/link.tsx";
import { client } from "../../server/client.ts";
import { useMay } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";

/** What has been read of it. The dialog shows the error, once with those of its other parts. */
export function useAffected({ app_id: appId, id }: Workflow) {
  const mayReadHooks = useMay("hooks:read");
  const uses = useQuery({
    queryKey: [appId, "workflows", id, "uses"],
    queryFn: ({ signal }) => client.with({ signal }).workflows.uses(appId, id),
  });
  const hooks = useQuery({
    queryKey: [appId, "hooks", "uses", id],
    queryFn: ({ signal }) => client.with({ signal }).hooks.list(appId, { workflow_id: id }),
    enabled: mayReadHooks,
  });
  const isRead = uses.data !== undefined && (!mayReadHooks || hooks.data !== undefined);
  return { uses: isRead ? uses.data : undefined, hooks: hooks.data, error: uses.error ?? hooks.error };
}

interface AffectedUsesProps {
  readonly appId: string;
  readonly affected: ReturnType<typeof useAffected>;
  readonly settings: Settings | undefined;
}

export function AffectedUses(props: AffectedUsesProps) {
  const { editor: texts } = useTexts();
  const id = useId();
  if (props.affected.error !== null) return null;
  return (
    <section className="affected-uses" aria-labelledby={id}>
      <h3 id={id}>{texts.affects}</h3>
      <AffectedList {...props} />
    </section>
  );
}

function AffectedList({ appId, affected: { uses, hooks }, settings }: AffectedUsesProps) {
  const { editor: texts, general } = useTexts();
  if (uses === undefined) return <Loading />;
  // Which version a step of another workflow runs is in that workflow.
  const users = uses.users.filter(({ type, version }) => type === "workflow" || version === "latest");
  const urls = hooks?.items ?? [];
  const events = settings?.start_on ?? [];
  if (users.length + urls.length + events.length === 0 && !uses.more) return <p>{texts.affectsNothing}</p>;
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
      {uses.more || hooks?.more === true ? <p className="soft">{general.andMore}</p> : null}
    </>
  );
}
