/** What an outgoing webhook has sent, newest first, with each attempt. */
import { useQueryClient } from "@tanstack/react-query";
import { Button } from "../elements/controls/button.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Table } from "../elements/lists/table.tsx";
import { Time } from "../elements/values/time.tsx";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

export function Deliveries({ appId, webhookId }: { readonly appId: string; readonly webhookId: string }) {
  const { webhooks: texts, general } = useTexts();
  const queries = useQueryClient();
  const { dialog, attempt, isBusy } = useProblemDialog();
  const refusal = useScopeRefusal("webhooks:write");
  const queryKey = [appId, "webhooks", "deliveries", webhookId];
  const list = usePagedList({
    queryKey,
    isLive: true,
    read: (page_token, signal) =>
      client.with({ signal }).webhooks.deliveries(appId, webhookId, page_token === undefined ? {} : { page_token }),
  });
  const redeliver = (id: string) =>
    attempt(async () => {
      await client.webhooks.redeliver(appId, webhookId, id);
      await queries.invalidateQueries({ queryKey });
    });
  return (
    <>
      <ListStates list={list} empty={<EmptyState title={texts.noDeliveries} />}>
        {(deliveries) => (
          <Table
            label={texts.deliveries}
            items={deliveries}
            keyOf={({ id }) => id}
            columns={[
              { name: "type", label: texts.events, isHeader: true, cell: ({ type }) => <code>{type}</code> },
              {
                name: "status",
                label: general.status,
                cell: ({ status }) => <span className={`delivery-status ${status}`}>{texts.statuses[status]}</span>,
              },
              { name: "attempts", label: texts.attempts, cell: ({ attempts }) => <Attempts attempts={attempts} /> },
              {
                name: "created",
                label: general.created,
                isRare: true,
                cell: ({ created_at }) => <Time at={created_at} />,
              },
            ]}
            actions={({ id }) => (
              <Button kind="quiet" isBusy={isBusy} refusal={refusal} onClick={() => void redeliver(id)}>
                {texts.redeliver}
              </Button>
            )}
          />
        )}
      </ListStates>
      {dialog}
    </>
  );
}

interface Attempt {
  readonly at: string;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly error: string | null;
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const format = useFormat();
  const last = attempts.at(-1);
  if (last === undefined) return null;
  return (
    <details className="delivery-attempts">
      <summary>
        {attempts.length} · {last.status ?? last.error}
      </summary>
      <ol>
        {attempts.map(({ at, duration_ms, status, error }) => (
          <li key={at}>
            <time dateTime={at}>{format.exact(at)}</time>, {format.duration(duration_ms)}: {status} {error}
          </li>
        ))}
      </ol>
    </details>
  );
}
