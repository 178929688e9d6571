/** Addresses that start runs. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Hook } from "../../../../src/hooks/hook-view.ts";
import { Button } from "../elements/controls/button.tsx";
import { CopyButton } from "../elements/controls/copy-button.tsx";
import { Menu } from "../elements/controls/menu.tsx";
import { ConfirmDialog } from "../elements/dialogs/confirm-dialog.tsx";
import { ShownOnce } from "../elements/dialogs/shown-once.tsx";
import { EmptyState } from "../elements/lists/empty-state.tsx";
import { ListStates } from "../elements/lists/list-states.tsx";
import { usePagedList } from "../elements/lists/paged-list.ts";
import { Table } from "../elements/lists/table.tsx";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { WorkflowName } from "../workflows/workflow-name.tsx";
import { HookRequests } from "./hook-requests.tsx";
import { SignatureForm } from "./signature-form.tsx";

export function IncomingWebhooks({ appId, hasSecret }: { readonly appId: string; readonly hasSecret: boolean }) {
  const { webhooks: texts, general } = useTexts();
  const queries = useQueryClient();
  const [signed, setSigned] = useState<Hook | "new" | null>(null);
  const [opened, setOpened] = useState<Hook | null>(null);
  const [watched, setWatched] = useState<Hook | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const mayWrite = useMay("hooks:write");
  const needed = mayWrite ? undefined : general.needsScope("hooks:write");
  // Signatures are made with secrets, which are stored encrypted.
  const refusal = hasSecret ? needed : texts.noSecret;
  const queryKey = [appId, "hooks"];
  const list = usePagedList({
    queryKey,
    read: (page_token, signal) =>
      client.with({ signal }).hooks.list(appId, page_token === undefined ? {} : { page_token }),
  });
  const reload = () => queries.invalidateQueries({ queryKey });
  const createButton = (
    <Button
      kind="primary"
      icon="plus"
      disabled={refusal !== undefined}
      title={refusal}
      onClick={() => setSigned("new")}
    >
      {texts.newIncoming}
    </Button>
  );
  return (
    <>
      <ListStates
        list={list}
        empty={
          <EmptyState title={texts.noIncoming}>
            <p>{texts.noIncomingText}</p>
            {createButton}
          </EmptyState>
        }
      >
        {(hooks) => (
          <>
            <p className="list-action">{createButton}</p>
            <Table
              label={texts.incoming}
              items={hooks}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: "address",
                  label: texts.address,
                  isHeader: true,
                  cell: ({ method, url }) => (
                    <>
                      <code>
                        {method} {url}
                      </code>{" "}
                      <CopyButton text={url} />
                    </>
                  ),
                },
                {
                  name: "workflow",
                  label: texts.workflow,
                  cell: ({ workflow_id }) =>
                    workflow_id === null ? (
                      <span className="soft">{texts.notUsed}</span>
                    ) : (
                      <WorkflowName appId={appId} workflowId={workflow_id} />
                    ),
                },
                {
                  name: "signature",
                  label: texts.signature,
                  cell: ({ signature }) => signature?.scheme ?? texts.unsigned,
                },
                {
                  name: "actions",
                  label: <span className="visually-hidden">{general.more}</span>,
                  align: "end",
                  cell: (hook) => (
                    <Menu
                      label={`${general.more}: ${hook.path}`}
                      items={[
                        { label: texts.lastRequests, icon: "history", onChoose: () => setWatched(hook) },
                        { label: texts.setSignature, icon: "keys", refusal, onChoose: () => setSigned(hook) },
                        ...(hook.signature === null
                          ? []
                          : [
                              {
                                label: texts.removeSignature,
                                icon: "trash" as const,
                                isDangerous: true,
                                refusal,
                                onChoose: () => setOpened(hook),
                              },
                            ]),
                      ]}
                    />
                  ),
                },
              ]}
            />
          </>
        )}
      </ListStates>
      {watched === null ? null : <HookRequests appId={appId} hook={watched} onClose={() => setWatched(null)} />}
      {signed === null ? null : (
        <SignatureForm
          appId={appId}
          hook={signed === "new" ? null : signed}
          onClose={() => setSigned(null)}
          onSaved={(hook) => {
            setSecret(hook.secret ?? null);
            void reload();
          }}
        />
      )}
      {secret === null ? null : (
        <ShownOnce title={texts.issued} hint={texts.issuedHint} secret={secret} onClose={() => setSecret(null)} />
      )}
      {opened === null ? null : (
        <ConfirmDialog
          title={texts.removeSignature}
          action={texts.removeSignature}
          onClose={() => setOpened(null)}
          onConfirm={async () => {
            await client.hooks.removeSignature(appId, opened.id);
            await reload();
          }}
        >
          <p>{texts.removeSignatureText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
