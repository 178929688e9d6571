/** Requires a signature of an address, or creates an address that requires one from the first request on. */

import { useState } from "react";
import type { Hook, SignedHook } from "../../../../src/hooks/hook-view.ts";
import { HTTP_METHODS } from "../../../../src/workflows/step.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { NEW_SIGNATURE, SignatureFields, signatureOf } from "./signature-fields.tsx";

interface SignatureFormProps {
  readonly appId: string;
  /** Null for a new address. */
  readonly hook: Hook | null;
  readonly onSaved: (hook: SignedHook) => void;
  readonly onClose: () => void;
}

export function SignatureForm({ appId, hook, onSaved, onClose }: SignatureFormProps) {
  const { webhooks: texts, general } = useTexts();
  const [method, setMethod] = useState<(typeof HTTP_METHODS)[number]>("POST");
  const [path, setPath] = useState("");
  const [draft, setDraft] = useState(NEW_SIGNATURE);
  const place = hook === null ? "/signature" : "";
  const save = async () => {
    const signature = signatureOf(draft);
    onSaved(
      hook === null
        ? await client.hooks.create(appId, { method, path, signature })
        : await client.hooks.putSignature(appId, hook.id, signature),
    );
  };
  return (
    <FormDialog
      title={hook === null ? texts.newIncoming : texts.setSignature}
      action={hook === null ? general.create : general.save}
      onSubmit={save}
      onClose={onClose}
      pointers={["/method", "/path", `${place}/secret`, `${place}/header`]}
    >
      {(error) => (
        <>
          {hook === null ? (
            <>
              <Field label={texts.method} error={fieldError(error, "/method")}>
                {(attributes) => (
                  <select
                    {...attributes}
                    value={method}
                    onChange={({ target }) => setMethod(HTTP_METHODS.find((one) => one === target.value) ?? method)}
                  >
                    {HTTP_METHODS.map((one) => (
                      <option key={one}>{one}</option>
                    ))}
                  </select>
                )}
              </Field>
              <Field
                label={texts.path}
                hint={texts.pathHint(`/public/apps/hooks/${appId}/`)}
                error={fieldError(error, "/path")}
              >
                {(attributes) => (
                  <input
                    {...attributes}
                    required
                    spellCheck={false}
                    placeholder="orders/new"
                    value={path}
                    onChange={({ target }) => setPath(target.value)}
                  />
                )}
              </Field>
            </>
          ) : null}
          <SignatureFields draft={draft} onChange={setDraft} error={error} place={place} />
        </>
      )}
    </FormDialog>
  );
}
