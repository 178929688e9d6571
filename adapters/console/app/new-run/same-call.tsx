/** The call that the form makes, for programs: its input as JSON, which can be edited, curl, and the client. */
import { useEffect, useRef, useState } from "react";
import { type JsonObject, MAX_DEPTH } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { CopyButton } from "../elements/controls/copy-button.tsx";
import { Tabs } from "../elements/controls/tabs.tsx";
import { Field } from "../elements/fields/field.tsx";
import { Icon } from "../elements/icons.tsx";
import { mount } from "../routing/location.ts";
import { useTexts } from "../texts/language.ts";
import { clientCall, curlCall } from "./calls.ts";
import type { TypedJson } from "./typed-json.ts";

interface SameCallProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly typed: TypedJson;
  /** Body of the request. */
  readonly body: JsonObject;
  /** Labels of the fields that it does not have, because they cannot be read. */
  readonly unread: readonly string[];
}

export function SameCall({ appId, workflowId, typed, body, unread }: SameCallProps) {
  const { newRun } = useTexts();
  const [tab, setTab] = useState<"json" | "curl" | "client">("json");
  // A text that is wrong keeps the run from starting, so it is shown.
  useEffect(() => {
    if (typed.refusals > 0) setTab("json");
  }, [typed.refusals]);
  const server = `${location.origin}${mount}`;
  const call = { server, appId, workflowId, body };
  return (
    <section className="same-call" aria-label={newRun.beside}>
      <h2>{newRun.beside}</h2>
      {unread.length === 0 ? null : (
        <p className="field-warning">
          <Icon name="warning" /> <bdi>{newRun.leftOut(unread.join(", "))}</bdi>
        </p>
      )}
      <Tabs
        label={newRun.beside}
        tabs={[
          { name: "json", label: newRun.json },
          { name: "curl", label: newRun.curl },
          { name: "client", label: newRun.client },
        ]}
        chosen={tab}
        onChoose={setTab}
      >
        {tab === "json" ? (
          <InputAsJson typed={typed} />
        ) : (
          <Code text={tab === "curl" ? curlCall(call) : clientCall(call)} hint={newRun.curlHint} label={newRun[tab]} />
        )}
      </Tabs>
    </section>
  );
}

function Code({ text, hint, label }: { readonly text: string; readonly hint: string; readonly label: string }) {
  return (
    <div className="call">
      <p className="notes">{hint}</p>
      <div className="call-code" dir="ltr">
        <pre role="region" aria-label={label} tabIndex={0}>
          <code>{text}</code>
        </pre>
        <CopyButton text={text} />
      </div>
    </div>
  );
}

function InputAsJson({ typed }: { readonly typed: TypedJson }) {
  const { newRun, forms } = useTexts();
  const { text, problem, refusals } = typed;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (refusals > 0) field.current?.focus();
  }, [refusals]);
  const messages = { json: newRun.invalidJson, deep: forms.tooDeep(MAX_DEPTH), precise: forms.tooPrecise };
  return (
    <div className="call">
      <Field label={newRun.jsonLabel} hint={newRun.jsonHint} error={problem === null ? null : messages[problem]}>
        {(attributes) => (
          <textarea
            {...attributes}
            ref={field}
            className="code"
            dir="ltr"
            rows={12}
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={({ target }) => typed.change(target.value)}
            onBlur={typed.leave}
          />
        )}
      </Field>
      <span className="call-tools">
        <CopyButton text={text} />
        {problem === null ? null : <Button onClick={typed.undo}>{newRun.jsonUndo}</Button>}
      </span>
    </div>
  );
}
