/** Creates an API key: its name, what it may do, and its end. */
import { type RefObject, useId, useRef, useState } from "react";
import type { IssuedKey } from "../../../../src/apps/key.ts";
import { type ApiKeyScope, SCOPES } from "../../../../src/calls/caller.ts";
import { announce } from "../elements/announced.tsx";
import { Button } from "../elements/controls/button.tsx";
import { FormDialog } from "../elements/dialogs/form-dialog.tsx";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { FieldNote } from "../elements/fields/field-note.tsx";
import { MomentNote } from "../elements/fields/moment-note.tsx";
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
  const [isMissing, setMissing] = useState(false);
  const choices = useRef<HTMLFieldSetElement>(null);
  const create = async () => {
    if (scopes?.size === 0) {
      setMissing(true);
      announce(texts.chooseScopes);
      // With the message, which stands above the boxes.
      choices.current?.scrollIntoView({ block: "start" });
      choices.current?.querySelector<HTMLElement>("input[type='checkbox']")?.focus({ preventScroll: true });
      return false;
    }
    const limits = scopes === null ? {} : { scopes: [...scopes] };
    const end = expires === "" ? {} : { expires_at: new Date(expires).toISOString() };
    onCreated(await client.keys.create(appId, { name, ...limits, ...end }));
    return true;
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
          <Scopes
            place={choices}
            chosen={scopes}
            onChange={setScopes}
            error={isMissing && scopes?.size === 0 ? texts.chooseScopes : fieldError(error, "/scopes")}
          />
          <Field label={texts.expires} hint={texts.expiresHint} isOptional error={fieldError(error, "/expires_at")}>
            {(attributes) => (
              <>
                <input
                  {...attributes}
                  type="datetime-local"
                  value={expires}
                  onChange={({ target }) => setExpires(target.value)}
                />
                <MomentNote local={expires} />
              </>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

interface ScopesProps {
  readonly place: RefObject<HTMLFieldSetElement | null>;
  /** Null for all. */
  readonly chosen: ReadonlySet<ApiKeyScope> | null;
  readonly onChange: (chosen: ReadonlySet<ApiKeyScope> | null) => void;
  readonly error: string | null;
}

/** What a scope reads or writes. */
type Resource = ApiKeyScope extends infer Scope ? (Scope extends `${infer Name}:read` ? Name : never) : never;

/** In the order of the scopes. */
const RESOURCES = [
  "workflows",
  "runs",
  "files",
  "collections",
  "events",
  "schedules",
  "connections",
  "hooks",
  "webhooks",
  "jobs",
] as const satisfies readonly Resource[];

/** All scopes that only read. */
const READING = SCOPES.filter((scope) => scope.endsWith(":read"));

function Scopes({ place, chosen, onChange, error }: ScopesProps) {
  const { keys: texts } = useTexts();
  const id = useId();
  return (
    <fieldset ref={place} className="scopes" aria-describedby={error === null ? undefined : `${id}-error`}>
      <legend>{texts.scopes}</legend>
      <label>
        <input type="radio" name={id} checked={chosen === null} onChange={() => onChange(null)} /> {texts.allScopes}
      </label>
      <label>
        <input type="radio" name={id} checked={chosen !== null} onChange={() => onChange(new Set())} />{" "}
        {texts.someScopes}
      </label>
      <FieldNote id={`${id}-error`} problem={error} />
      {chosen === null ? null : <ScopeTable chosen={chosen} onChange={onChange} />}
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
  return (
    <>
      <div className="scope-choices">
        <Button onClick={() => onChange(new Set())}>{texts.noScopes}</Button>
        <Button onClick={() => onChange(new Set(READING))}>{texts.allReading}</Button>
      </div>
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
                {texts.resources[resource].name} <code>{resource}</code>
                <p className="hint">{texts.resources[resource].opens}</p>
              </th>
              {(["read", "write"] as const).map((access) => (
                <td key={access}>
                  {box(`${resource}:${access}`, `${texts.resources[resource].name}: ${texts[access]}`)}
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">
              {texts.act}
              <p className="hint">{texts.actHint}</p>
            </th>
            <td colSpan={2}>{box("users:act", texts.act)}</td>
          </tr>
        </tbody>
      </table>
    </>
  );
}
