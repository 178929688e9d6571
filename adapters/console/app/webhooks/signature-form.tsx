/** Requires a signature of an address, or creates an address that requires one from the first request on. */
import { useState } from "react";
import type { Hook, SignedHook } from "../../../../src/hooks/hook-view.ts";
import type { SignaturePut } from "../../../../src/signatures/signature-settings.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";

interface SignatureFormProps {
  readonly appId: string;
  /** Null for a new address. */
  readonly hook: Hook | null;
  readonly onSaved: (hook: SignedHook) => void;
  readonly onClose: () => void;
}

const SCHEMES = ["standard-webhooks", "github", "stripe", "slack", "hmac-sha256"] as const;
type Scheme = (typeof SCHEMES)[number];
const METHODS = ["POST", "PUT", "PATCH", "GET", "DELETE"] as const;
/** Schemes whose sender makes the secret. */
const OF_SENDER: readonly Scheme[] = ["stripe", "slack"];

/** A secret that is left out is generated. */
function signatureOf(scheme: Scheme, secret: string, header: string): SignaturePut {
  if (scheme === "stripe" || scheme === "slack") return { scheme, secret };
  const given = secret === "" ? {} : { secret };
  return scheme === "hmac-sha256" ? { scheme, header, ...given } : { scheme, ...given };
}

export function SignatureForm({ appId, hook, onSaved, onClose }: SignatureFormProps) {
  const { webhooks: texts, general } = useTexts();
  const [method, setMethod] = useState<(typeof METHODS)[number]>("POST");
  const [path, setPath] = useState("");
  const [scheme, setScheme] = useState<Scheme>("standard-webhooks");
  const [secret, setSecret] = useState("");
  const [header, setHeader] = useState("x-signature");
  const place = hook === null ? "/signature" : "";
  const save = async () => {
    const signature = signatureOf(scheme, secret, header);
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
                    onChange={({ target }) => setMethod(METHODS.find((one) => one === target.value) ?? method)}
                  >
                    {METHODS.map((one) => (
                      <option key={one}>{one}</option>
                    ))}
                  </select>
                )}
              </Field>
              <Field label={texts.path} hint={texts.pathHint} error={fieldError(error, "/path")}>
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
          <Field label={texts.scheme}>
            {(attributes) => (
              <select
                {...attributes}
                value={scheme}
                onChange={({ target }) => setScheme(SCHEMES.find((one) => one === target.value) ?? scheme)}
              >
                {SCHEMES.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
          </Field>
          {scheme === "hmac-sha256" ? (
            <Field label={texts.header} error={fieldError(error, `${place}/header`)}>
              {(attributes) => (
                <input {...attributes} required value={header} onChange={({ target }) => setHeader(target.value)} />
              )}
            </Field>
          ) : null}
          <Field
            label={texts.secret}
            hint={OF_SENDER.includes(scheme) ? undefined : texts.secretHint}
            isOptional={!OF_SENDER.includes(scheme)}
            error={fieldError(error, `${place}/secret`)}
          >
            {(attributes) => (
              <input
                {...attributes}
                type="password"
                autoComplete="off"
                required={OF_SENDER.includes(scheme)}
                value={secret}
                onChange={({ target }) => setSecret(target.value)}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
