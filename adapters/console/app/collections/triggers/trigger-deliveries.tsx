/** The events that a trigger received, newest first. */
import { useQueryClient } from "@tanstack/react-query";
import { Button } from "../../elements/controls/button.tsx";
import { useProblemDialog } from "../../elements/dialogs/problem-dialog.tsx";
import { ListStates } from "../../elements/lists/list-states.tsx";
import { usePagedList } from "../../elements/lists/paged-list.ts";
import { Table } from "../../elements/lists/table.tsx";
import { Time } from "../../elements/values/time.tsx";
import { Link } from "../../routing/link.tsx";
import { client } from "../../server/client.ts";
import { useScopeRefusal } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";

interface TriggerDeliveriesProps {
  readonly appId: string;
  readonly collectionId: string;
  readonly triggerId: string;
}

export function TriggerDeliveries({ appId, collectionId, triggerId }: TriggerDeliveriesProps) {
  const { collections: texts, records, general } = useTexts();
  const queries = useQueryClient();
  const { dialog, attempt, isBusy } = useProblemDialog();
  const refusal = useScopeRefusal("collections:write");
  const queryKey = [appId, "triggers", triggerId, "deliveries"];
  const list = usePagedList({
    queryKey,
    isLive: true,
    read: (page_token, signal) =>
      client
        .with({ signal })
        .triggers.deliveries(appId, collectionId, triggerId, page_token === undefined ? {} : { page_token }),
  });
  const redeliver = (id: string) =>
    attempt(async () => {
      await client.triggers.redeliver(appId, collectionId, triggerId, id);
      await queries.invalidateQueries({ queryKey });
    });
  return (
    <>
      <ListStates list={list} empty={<p>{texts.noDeliveries}</p>}>
        {(deliveries) => (
          <Table
            label={texts.deliveries}
            items={deliveries}
            keyOf={({ id }) => id}
            columns={[
              { name: "event", label: "ID", isHeader: true, cell: ({ event_id }) => <code>{event_id}</code> },
              {
                name: "status",
                label: general.status,
                cell: ({ status, reason }) => (
                  <>
                    {texts.deliveryStatuses[status]}
                    {reason === null ? null : (
                      <p className="hint">
                        {reason.code === "nothing_mapped" ? texts.nothingMapped : <bdi>{reason.message}</bdi>}
                      </p>
                    )}
                  </>
                ),
              },
              {
                name: "record",
                label: records.record,
                cell: ({ record_id }) =>
                  record_id === null ? null : (
                    <Link to={`/apps/${appId}/collections/${collectionId}/records/${record_id}`}>{record_id}</Link>
                  ),
              },
              { name: "received", label: general.created, cell: ({ received_at }) => <Time at={received_at} /> },
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
