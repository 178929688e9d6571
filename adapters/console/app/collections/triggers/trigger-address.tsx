/** The address at which a trigger receives events, and the signature that requests to it must have. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Trigger } from "../../../../../src/collections/triggers/trigger.ts";
import { Button } from "../../elements/controls/button.tsx";
import { CopyButton } from "../../elements/controls/copy-button.tsx";
import { ConfirmDialog } from "../../elements/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../elements/dialogs/dialog.tsx";
import { FormDialog } from "../../elements/dialogs/form-dialog.tsx";
import { ShownOnce } from "../../elements/dialogs/shown-once.tsx";
import { Facts } from "../../elements/lists/facts.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { client } from "../../server/client.ts";
import { useScopeRefusal } from "../../session/session-context.ts";
import { useMe } from "../../steps/server-data.ts";
import { useTexts } from "../../texts/language.ts";
import { NEW_SIGNATURE, SignatureFields, signatureOf } from "../../webhooks/signature-fields.tsx";

type Change = "set" | "remove";

interface TriggerAddressProps {
  readonly appId: string;
  readonly trigger: Trigger;
  readonly onClose: () => void;
}

/** Gets the focus when the dialog is shown again. */
const FIRST = { "data-focus-first": true, tabIndex: 0 } as const;

export function TriggerAddress({ appId, trigger, onClose }: TriggerAddressProps) {
  const { collections: texts, webhooks, general } = useTexts();
  const [open, setOpen] = useState<Change | null>(null);
  /** The last one that was opened: its button gets the focus back. */
  const [last, setLast] = useState<Change | null>(null);
  const show = (change: Change) => {
    setOpen(change);
    setLast(change);
  };
  const [draft, setDraft] = useState(NEW_SIGNATURE);
  const [secret, setSecret] = useState<string | null>(null);
  const needed = useScopeRefusal("collections:write");
  // Signatures are made with secrets, which are stored encrypted.
  const refusal = useMe(appId)?.configured.secret === false ? webhooks.noSecret : needed;
  const { collection_id, id, name } = trigger;
  const found = useQuery({
    queryKey: [appId, "triggers", id, "signature"],
    queryFn: ({ signal }) => client.with({ signal }).triggers.getSignature(appId, collection_id, id),
  });
  const back = () => setOpen(null);
  if (secret !== null)
    return (
      <ShownOnce title={webhooks.issued} hint={webhooks.issuedHint} secret={secret} onClose={() => setSecret(null)} />
    );
  if (open === "set")
    return (
      <FormDialog
        title={webhooks.setSignature}
        action={general.save}
        onClose={back}
        pointers={["/secret", "/header"]}
        onSubmit={async () => {
          const signed = await client.triggers.putSignature(appId, collection_id, id, signatureOf(draft));
          setSecret(signed.secret ?? null);
          await found.refetch();
        }}
      >
        {(error) => <SignatureFields draft={draft} onChange={setDraft} error={error} place="" />}
      </FormDialog>
    );
  if (open === "remove")
    return (
      <ConfirmDialog
        title={webhooks.removeSignature}
        action={webhooks.removeSignature}
        onClose={back}
        onConfirm={async () => {
          await client.triggers.removeSignature(appId, collection_id, id);
          await found.refetch();
        }}
      >
        <p>{texts.removeSignatureText}</p>
      </ConfirmDialog>
    );
  return (
    <Dialog title={`${webhooks.address}: ${name}`} size="wide" onClose={onClose}>
      <p>{texts.receivesEvents}</p>
      {found.isPending ? <Loading /> : null}
      {found.error === null ? null : <ProblemNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.data === undefined ? null : (
        <>
          <p className="shown-once">
            <code>POST {found.data.url}</code>
            <CopyButton text={found.data.url} />
          </p>
          <Facts facts={[{ label: webhooks.signature, value: found.data.signature?.scheme ?? texts.unsigned }]} />
          <p className="buttons">
            <Button icon="keys" refusal={refusal} {...(last === "set" ? FIRST : undefined)} onClick={() => show("set")}>
              {webhooks.setSignature}
            </Button>
            {found.data.signature === null ? null : (
              <Button
                icon="trash"
                kind="danger"
                refusal={needed}
                {...(last === "remove" ? FIRST : undefined)}
                onClick={() => show("remove")}
              >
                {webhooks.removeSignature}
              </Button>
            )}
          </p>
        </>
      )}
    </Dialog>
  );
}
