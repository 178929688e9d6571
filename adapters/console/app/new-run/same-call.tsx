/** The call that the form makes, for programs: its input as JSON, which can be edited, curl, and the client. */
import { useState } from "react";
import { isRecord, type JsonObject } from "../../../../src/json.ts";
import { CopyButton } from "../elements/controls/copy-button.tsx";
import { Tabs } from "../elements/controls/tabs.tsx";
import { Field } from "../elements/fields/field.tsx";
import type { FormState } from "../forms/use-form-state.ts";
import { mount } from "../routing/location.ts";
import { useTexts } from "../texts/language.ts";
import { clientCall, curlCall } from "./calls.ts";

interface SameCallProps {
  readonly appId: string;
  readonly workflowId: string;
  readonly form: FormState;
  /** Body of the request. */
  readonly body: JsonObject;
}

export function SameCall({ appId, workflowId, form, body }: SameCallProps) {
  const { newRun } = useTexts();
  const [tab, setTab] = useState<"json" | "curl" | "client">("json");
  const server = `${location.origin}${mount}`;
  const call = { server, appId, workflowId, body };
  return (
    <section className="same-call" aria-label={newRun.beside}>
      <h2>{newRun.beside}</h2>
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
          <InputAsJson form={form} />
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

/** While a person writes, the text stays as it is; then it follows the form again. */
function InputAsJson({ form }: { readonly form: FormState }) {
  const { newRun } = useTexts();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? JSON.stringify(form.peek(), null, 2);
  const isWrong = typed !== null && parsedObject(typed) === null;
  return (
    <div className="call">
      <Field label={newRun.jsonLabel} hint={newRun.jsonHint} error={isWrong ? newRun.invalidJson : null}>
        {(attributes) => (
          <textarea
            {...attributes}
            className="code"
            dir="ltr"
            rows={12}
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={({ target }) => {
              setTyped(target.value);
              const value = parsedObject(target.value);
              if (value !== null) form.fill(value);
            }}
            onBlur={() => {
              if (!isWrong) setTyped(null);
            }}
          />
        )}
      </Field>
      <CopyButton text={text} />
    </div>
  );
}

function parsedObject(text: string): JsonObject | null {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : null; // parsed JSON
  } catch {
    return null;
  }
}
