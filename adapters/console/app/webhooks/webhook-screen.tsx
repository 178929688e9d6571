/** One outgoing webhook and what it has sent. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Webhook } from "../../../../src/webhooks/webhook.ts";
import { CollectionName } from "../collections/collection-picker.tsx";
import { Button } from "../elements/controls/button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { DeleteDialog } from "../elements/dialogs/delete-dialog.tsx";
import { useProblemDialog } from "../elements/dialogs/problem-dialog.tsx";
import { ShownOnce } from "../elements/dialogs/shown-once.tsx";
import { Icon } from "../elements/icons.tsx";
import { Facts } from "../elements/lists/facts.tsx";
import { Loaded } from "../elements/loaded.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { FailureNote } from "../elements/problem-note.tsx";
import { LIVE_QUERY } from "../live/live-query.ts";
import { useNavigateFromHere } from "../routing/location.ts";
import type { ScreenProps } from "../routing/screen-props.ts";
import { client } from "../server/client.ts";
import { useScopeRefusal } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { WorkflowName } from "../workflows/workflow-name.tsx";
import { Deliveries } from "./deliveries.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookState } from "./webhook-state.tsx";
import "./webhook-screen.css";

export default function WebhookScreen({ params: { app = "", webhook: id = "" } }: ScreenProps) {
  const found = useQuery({
    queryKey: [app, "webhooks", "one", id],
    queryFn: ({ signal }) => client.with({ signal }).webhooks.get(app, id),
    ...LIVE_QUERY,
  });
  return (
    <Loaded query={found} screen={{ appId: app, section: "webhooks" }}>
      {(webhook) => <OneWebhook appId={app} webhook={webhook} />}
    </Loaded>
  );
}

function OneWebhook({ appId, webhook }: { readonly appId: string; readonly webhook: Webhook }) {
  const navigateFromHere = useNavigateFromHere();
  const { webhooks: texts, general } = useTexts();
  const queries = useQueryClient();
  const { dialog, attempt, isBusy } = useProblemDialog();
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [tested, setTested] = useState<TestResult | null>(null);
  const refusal = useScopeRefusal("webhooks:write");
  const reload = () => queries.invalidateQueries({ queryKey: [appId, "webhooks"] });
  const change = (enabled: boolean) =>
    attempt(async () => {
      await client.webhooks.update(appId, webhook.id, { enabled });
      await reload();
    });
  const rotate = () =>
    attempt(async () => {
      setSecret((await client.webhooks.rotate(appId, webhook.id, {})).secret);
      await reload();
    });
  const test = () =>
    attempt(async () => {
      setTested(null);
      setTested(await client.webhooks.test(appId, webhook.id));
    });
  return (
    <div className="webhook-screen">
      <PageHead
        title={webhook.url}
        actions={
          <>
            <Button isBusy={isBusy} refusal={refusal} onClick={() => void test()}>
              {texts.test}
            </Button>
            <Menu
              label={general.more}
              items={[
                { label: general.edit, icon: "edit", refusal, onChoose: () => setOpen("edit") },
                {
                  label: webhook.enabled ? texts.pause : texts.resume,
                  icon: webhook.enabled ? "pause" : "runs",
                  refusal,
                  onChoose: () => void change(!webhook.enabled),
                },
                { label: texts.rotate, icon: "keys", refusal, onChoose: () => void rotate() },
                { label: general.delete, icon: "trash", isDangerous: true, refusal, onChoose: () => setOpen("delete") },
              ]}
            />
          </>
        }
      />
      <div role="status">{tested === null ? null : <Tested result={tested} />}</div>
      <About appId={appId} webhook={webhook} />
      <h2>{texts.deliveries}</h2>
      <Deliveries appId={appId} webhookId={webhook.id} />
      {dialog}
      {open === "edit" ? (
        <WebhookForm appId={appId} webhook={webhook} onClose={() => setOpen(null)} onSaved={() => void reload()} />
      ) : null}
      {open === "delete" ? (
        <DeleteDialog
          appId={appId}
          name={webhook.url}
          onClose={() => setOpen(null)}
          onDelete={async () => {
            await client.webhooks.remove(appId, webhook.id);
            navigateFromHere(`/apps/${appId}/webhooks?tab=outgoing`);
            await reload();
          }}
        />
      ) : null}
      {secret === null ? null : (
        <ShownOnce title={texts.issued} hint={texts.receiverHint} secret={secret} onClose={() => setSecret(null)} />
      )}
    </div>
  );
}

type TestResult = Awaited<ReturnType<typeof client.webhooks.test>>;

function Tested({ result: { status, error } }: { readonly result: TestResult }) {
  const { webhooks: texts } = useTexts();
  if (error === null)
    return (
      <p className="test-delivered">
        <Icon name="check" /> {texts.testDelivered}
      </p>
    );
  return (
    <FailureNote title={texts.testFailed}>
      {status} <bdi>{error}</bdi>
    </FailureNote>
  );
}

function About({ appId, webhook }: { readonly appId: string; readonly webhook: Webhook }) {
  const { webhooks: texts, general } = useTexts();
  const format = useFormat();
  return (
    <Facts
      facts={[
        { label: texts.events, value: <code>{webhook.events.join(", ")}</code> },
        { label: texts.state, value: <WebhookState webhook={webhook} /> },
        {
          label: texts.workflow,
          value:
            webhook.workflow_id === null ? (
              general.all
            ) : (
              <WorkflowName appId={appId} workflowId={webhook.workflow_id} />
            ),
        },
        {
          label: texts.collection,
          value:
            webhook.collection_id === null ? (
              general.all
            ) : (
              <CollectionName appId={appId} collectionId={webhook.collection_id} />
            ),
        },
        { label: general.created, value: format.exact(webhook.created_at) },
      ]}
    />
  );
}
