/** Creates an API key: its name, what it may do, and its end. */
import { useId, useState } from "react";
import type { IssuedKey } from "../../../../src/apps/key.ts";
import { type ApiKeyScope, SCOPES } from "../../../../src/calls/caller.ts";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { NameField } from "../elements/fields/name-field.tsx";
import { client } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import "./new-key.css";

interface NewKeyProps {
  readonly appId: string;
  readonly onCreated: (key: IssuedKey) => void;
  readonly onClose: () => void;
}

export function NewKey({ appId, onCreated, onClose }: NewKeyProps) {
  const { keys: texts, general } = useTexts();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<ReadonlySet<ApiKeyScope> | null>(null);
  const [expires, setExpires] = useState("");
  const create = async () => {
    const limits = scopes === null ? {} : { scopes: [...scopes] };
    const end = expires === "" ? {} : { expires_at: new Date(expires).toISOString() };
    onCreated(await client.keys.create(appId, { name, ...limits, ...end }));
  };
  return (
    <FormDialog
      title={texts.create}
      action={general.create}
      onSubmit={create}
      onClose={onClose}
      pointers={["/name", "/scopes", "/expires_at"]}
    >
      {(error) => (
        <>
          <NameField value={name} onChange={setName} hint={texts.nameHint} error={error} />
          <Scopes chosen={scopes} onChange={setScopes} error={fieldError(error, "/scopes")} />
          <Field label={texts.expires} hint={texts.expiresHint} isOptional error={fieldError(error, "/expires_at")}>
            {(attributes) => (
              <input
                {...attributes}
                type="datetime-local"
                value={expires}
                onChange={({ target }) => setExpires(target.value)}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

interface ScopesProps {
  /** Null for all. */
  readonly chosen: ReadonlySet<ApiKeyScope> | null;
  readonly onChange: (chosen: ReadonlySet<ApiKeyScope> | null) => void;
  readonly error: string | null;
}

/** Resources, in the order of the scopes. */
const RESOURCES = [...new Set(SCOPES.map((scope) => scope.split(":")[0] ?? scope))].filter((name) => name !== "users");

function Scopes({ chosen, onChange, error }: ScopesProps) {
  const { keys: texts } = useTexts();
  const id = useId();
  return (
    <fieldset className="scopes" aria-describedby={error === null ? undefined : `${id}-error`}>
      <legend>{texts.scopes}</legend>
      <label>
        <input type="radio" name={id} checked={chosen === null} onChange={() => onChange(null)} /> {texts.allScopes}
      </label>
      <label>
        <input
          type="radio"
          name={id}
          checked={chosen !== null}
          onChange={() => onChange(new Set(SCOPES.filter((scope) => scope.endsWith(":read"))))}
        />{" "}
        {texts.someScopes}
      </label>
      {chosen === null ? null : <ScopeTable chosen={chosen} onChange={onChange} />}
      {error === null ? null : (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function ScopeTable({
  chosen,
  onChange,
}: Pick<ScopesProps, "onChange"> & { readonly chosen: ReadonlySet<ApiKeyScope> }) {
  const { keys: texts } = useTexts();
  const box = (scope: ApiKeyScope, label: string) => (
    <input
      type="checkbox"
      aria-label={label}
      checked={chosen.has(scope)}
      onChange={({ target }) => {
        const next = new Set(chosen);
        if (target.checked) next.add(scope);
        else next.delete(scope);
        onChange(next);
      }}
    />
  );
  const scopeOf = (resource: string, access: string) => SCOPES.find((scope) => scope === `${resource}:${access}`);
  return (
    <table aria-label={texts.scopeTable}>
      <thead>
        <tr>
          <th scope="col">{texts.resource}</th>
          <th scope="col">{texts.read}</th>
          <th scope="col">{texts.write}</th>
        </tr>
      </thead>
      <tbody>
        {RESOURCES.map((resource) => (
          <tr key={resource}>
            <th scope="row">
              <code>{resource}</code>
            </th>
            {(["read", "write"] as const).map((access) => {
              const scope = scopeOf(resource, access);
              return <td key={access}>{scope === undefined ? null : box(scope, `${resource} ${texts[access]}`)}</td>;
            })}
          </tr>
        ))}
        <tr>
          <th scope="row" title={texts.actHint}>
            {texts.act}
          </th>
          <td colSpan={2}>{box("users:act", texts.act)}</td>
        </tr>
      </tbody>
    </table>
  );
}
