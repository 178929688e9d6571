/** The fields of a signature that requests must have. */
import { SIGNATURE_SCHEMES } from "../../../../src/signatures/signature-form.ts";
import type { SignaturePut } from "../../../../src/signatures/signature-settings.ts";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { useTexts } from "../texts/language.ts";

type Scheme = (typeof SIGNATURE_SCHEMES)[number];
/** Schemes whose sender makes the secret. */
const OF_SENDER: readonly Scheme[] = ["stripe", "slack"];

/** A signature while it is edited. */
export interface SignatureDraft {
  readonly scheme: Scheme;
  /** Empty for one that the server generates. */
  readonly secret: string;
  /** Only of the scheme `hmac-sha256`. */
  readonly header: string;
}

export const NEW_SIGNATURE: SignatureDraft = { scheme: "standard-webhooks", secret: "", header: "x-signature" };

export function signatureOf({ scheme, secret, header }: SignatureDraft): SignaturePut {
  if (scheme === "stripe" || scheme === "slack") return { scheme, secret };
  const given = secret === "" ? {} : { secret };
  return scheme === "hmac-sha256" ? { scheme, header, ...given } : { scheme, ...given };
}

interface SignatureFieldsProps {
  readonly draft: SignatureDraft;
  readonly onChange: (draft: SignatureDraft) => void;
  readonly error: unknown;
  /** Pointer of the signature in what is sent. */
  readonly place: string;
}

export function SignatureFields({ draft, onChange, error, place }: SignatureFieldsProps) {
  const { webhooks: texts } = useTexts();
  const { scheme, secret, header } = draft;
  return (
    <>
      <Field label={texts.scheme}>
        {(attributes) => (
          <select
            {...attributes}
            value={scheme}
            onChange={({ target }) =>
              onChange({ ...draft, scheme: SIGNATURE_SCHEMES.find((one) => one === target.value) ?? scheme })
            }
          >
            {SIGNATURE_SCHEMES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
      </Field>
      {scheme === "hmac-sha256" ? (
        <Field label={texts.header} error={fieldError(error, `${place}/header`)}>
          {(attributes) => (
            <input
              {...attributes}
              required
              value={header}
              onChange={({ target }) => onChange({ ...draft, header: target.value })}
            />
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
            onChange={({ target }) => onChange({ ...draft, secret: target.value })}
          />
        )}
      </Field>
    </>
  );
}
