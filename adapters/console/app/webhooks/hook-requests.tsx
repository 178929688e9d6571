/** The last requests of an address, and what each was answered with. */
import { useQuery } from "@tanstack/react-query";
import type { Hook } from "../../../../src/hooks/hook-view.ts";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { Table } from "../elements/lists/table.tsx";
import { Loading } from "../elements/loading.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { Time } from "../elements/values/time.tsx";
import { POLLING_MS } from "../live/live-query.ts";
import { Link } from "../routing/link.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface HookRequestsProps {
  readonly appId: string;
  readonly hook: Hook;
  readonly onClose: () => void;
}

export function HookRequests({ appId, hook, onClose }: HookRequestsProps) {
  const { webhooks: texts, general } = useTexts();
  const found = useQuery({
    queryKey: [appId, "hooks", "requests", hook.id],
    queryFn: ({ signal }) => client.with({ signal }).hooks.requests(appId, hook.id),
    // No stream names requests that started no run.
    refetchInterval: POLLING_MS,
  });
  return (
    <Dialog title={`${texts.lastRequests}: ${hook.path}`} size="wide" onClose={onClose}>
      {found.isPending ? <Loading /> : null}
      {found.error === null ? null : <ProblemNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.data === undefined ? null : found.data.requests.length === 0 ? (
        <p>{texts.noRequests}</p>
      ) : (
        <Table
          label={texts.lastRequests}
          items={found.data.requests}
          keyOf={({ at, run_id, status }) => `${at} ${run_id} ${status}`}
          columns={[
            { name: "at", label: texts.received, isHeader: true, cell: ({ at }) => <Time at={at} /> },
            { name: "method", label: texts.method, cell: ({ method }) => method },
            { name: "status", label: general.status, cell: ({ status }) => status },
            {
              name: "result",
              label: texts.result,
              cell: ({ run_id, error }) =>
                run_id === null ? (
                  <span className="failed-text">{error?.message}</span>
                ) : (
                  <Link to={`/apps/${appId}/runs/${run_id}`}>{run_id}</Link>
                ),
            },
          ]}
        />
      )}
    </Dialog>
  );
}
