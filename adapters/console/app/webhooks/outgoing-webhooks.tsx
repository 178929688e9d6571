/** URLs that receive the events of the app. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { ShownOnce } from "../elements/dialogs/shown-once.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Table } from "../elements/lists/table.tsx";
import { Time } from "../elements/values/time.tsx";
import { Link } from "../routing/link.tsx";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookState } from "./webhook-state.tsx";

export function OutgoingWebhooks({ appId, hasSecret }: { readonly appId: string; readonly hasSecret: boolean }) {
  const { webhooks: texts, general } = useTexts();
  const queries = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const needed = useScopeRefusal("webhooks:write");
  // Signatures are made with secrets, which are stored encrypted.
  const refusal = hasSecret ? needed : texts.noSecret;
  const queryKey = [appId, "webhooks"];
  const list = usePagedList({
    queryKey,
    isLive: true,
    read: (page_token, signal) =>
      client.with({ signal }).webhooks.list(appId, page_token === undefined ? {} : { page_token }),
  });
  const createButton = (
    <Button kind="primary" icon="plus" refusal={refusal} onClick={() => setCreating(true)}>
      {texts.newOutgoing}
    </Button>
  );
  return (
    <>
      <ListStates
        list={list}
        empty={
          <EmptyState title={texts.noOutgoing}>
            <p>{texts.noOutgoingText}</p>
            {createButton}
          </EmptyState>
        }
      >
        {(webhooks) => (
          <>
            <p className="list-action">{createButton}</p>
            <Table
              label={texts.outgoing}
              items={webhooks}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: "url",
                  label: texts.url,
                  isHeader: true,
                  cell: ({ id, url }) => <Link to={`/apps/${appId}/webhooks/${id}`}>{url}</Link>,
                },
                { name: "events", label: texts.events, cell: ({ events }) => <code>{events.join(", ")}</code> },
                { name: "state", label: texts.state, cell: (webhook) => <WebhookState webhook={webhook} /> },
                { name: "created", label: general.created, cell: ({ created_at }) => <Time at={created_at} /> },
              ]}
            />
          </>
        )}
      </ListStates>
      {isCreating ? (
        <WebhookForm
          appId={appId}
          webhook={null}
          onClose={() => setCreating(false)}
          onSaved={(issued) => {
            setSecret(issued);
            void queries.invalidateQueries({ queryKey });
          }}
        />
      ) : null}
      {secret === null ? null : (
        <ShownOnce title={texts.issued} hint={texts.receiverHint} secret={secret} onClose={() => setSecret(null)} />
      )}
    </>
  );
}
