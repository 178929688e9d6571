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
import { useScopeRefusal } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { WorkflowName } from "../workflows/workflow-name.tsx";
import { HookRequests } from "./hook-requests.tsx";
import { SignatureForm } from "./signature-form.tsx";

interface IncomingWebhooksProps {
  readonly appId: string;
  /** Whether the host has a secret, which encrypts those of signatures. */
  readonly hasSecret: boolean;
}

/** What is asked for in a dialog. */
type Question = { readonly kind: "new" } | { readonly kind: "sign" | "unsign" | "watch"; readonly hook: Hook };

export function IncomingWebhooks({ appId, hasSecret }: IncomingWebhooksProps) {
  const { webhooks: texts } = useTexts();
  const queries = useQueryClient();
  const [question, ask] = useState<Question | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const needed = useScopeRefusal("hooks:write");
  const refusal = hasSecret ? needed : texts.noSecret;
  const queryKey = [appId, "hooks"];
  const list = usePagedList({
    queryKey,
    read: (page_token, signal) =>
      client.with({ signal }).hooks.list(appId, page_token === undefined ? {} : { page_token }),
  });
  const createButton = (
    <Button kind="primary" icon="plus" refusal={refusal} onClick={() => ask({ kind: "new" })}>
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
            <HookTable appId={appId} hooks={hooks} refusal={refusal} ask={ask} />
          </>
        )}
      </ListStates>
      {question === null ? null : (
        <HookDialog
          appId={appId}
          question={question}
          onClose={() => ask(null)}
          onSigned={setSecret}
          onChanged={() => queries.invalidateQueries({ queryKey })}
        />
      )}
      {secret === null ? null : (
        <ShownOnce title={texts.issued} hint={texts.issuedHint} secret={secret} onClose={() => setSecret(null)} />
      )}
    </>
  );
}

interface HookTableProps {
  readonly appId: string;
  readonly hooks: readonly Hook[];
  readonly refusal: string | undefined;
  readonly ask: (question: Question) => void;
}

function HookTable({ appId, hooks, refusal, ask }: HookTableProps) {
  const { webhooks: texts } = useTexts();
  return (
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
      ]}
      actions={(hook) => <HookMenu hook={hook} refusal={refusal} ask={ask} />}
    />
  );
}

function HookMenu({ hook, refusal, ask }: Pick<HookTableProps, "refusal" | "ask"> & { readonly hook: Hook }) {
  const { webhooks: texts, general } = useTexts();
  const remove = {
    label: texts.removeSignature,
    icon: "trash",
    isDangerous: true,
    refusal,
    onChoose: () => ask({ kind: "unsign", hook }),
  } as const;
  return (
    <Menu
      isInRow
      label={`${general.more}: ${hook.path}`}
      items={[
        { label: texts.lastRequests, icon: "history", onChoose: () => ask({ kind: "watch", hook }) },
        { label: texts.setSignature, icon: "keys", refusal, onChoose: () => ask({ kind: "sign", hook }) },
        ...(hook.signature === null ? [] : [remove]),
      ]}
    />
  );
}

interface HookDialogProps {
  readonly appId: string;
  readonly question: Question;
  readonly onClose: () => void;
  /** Called with the secret that the server has made; null for one that the sender has. */
  readonly onSigned: (secret: string | null) => void;
  readonly onChanged: () => Promise<void>;
}

function HookDialog({ appId, question, onClose, onSigned, onChanged }: HookDialogProps) {
  const { webhooks: texts } = useTexts();
  switch (question.kind) {
    case "watch":
      return <HookRequests appId={appId} hook={question.hook} onClose={onClose} />;
    case "new":
    case "sign":
      return (
        <SignatureForm
          appId={appId}
          hook={question.kind === "sign" ? question.hook : null}
          onClose={onClose}
          onSaved={(hook) => {
            onSigned(hook.secret ?? null);
            void onChanged();
          }}
        />
      );
    case "unsign":
      return (
        <ConfirmDialog
          title={texts.removeSignature}
          action={texts.removeSignature}
          onClose={onClose}
          onConfirm={async () => {
            await client.hooks.removeSignature(appId, question.hook.id);
            await onChanged();
          }}
        >
          <p>{texts.removeSignatureText}</p>
        </ConfirmDialog>
      );
  }
}
