/** Sends an operation with the session of the console, and shows the response. */

import { type FormEvent, useState } from "react";
import { omitUndefined } from "../../../../src/json.ts";
import { Button } from "../elements/controls/button.tsx";
import { Field } from "../elements/fields/field.tsx";
import { mount } from "../routing/location.ts";
import { CONSOLE_HEADERS } from "../server/client.ts";
import { useSession } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { addressOf, type Given } from "./call.ts";
import type { Operation } from "./document.ts";

/** Longer responses are cut: this page is for looking. */
const MAX_SHOWN = 65_536;

interface TryItProps {
  readonly operation: Operation;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
}

export function TryIt({ operation, given, onChange }: TryItProps) {
  const { reference: texts, general } = useTexts();
  const { app_id } = useSession();
  const { method, parameters = [] } = operation;
  const { body } = given;
  const values: Given["values"] = { app_id: app_id ?? "me", ...given.values };
  const [result, setResult] = useState<{ readonly head: string; readonly text: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const fields = parameters.filter((one) => one.in !== "header");

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      const response = await fetch(`${mount}${addressOf(operation, { ...given, values }, () => "")}`, {
        method,
        credentials: "same-origin",
        headers: {
          ...CONSOLE_HEADERS,
          accept: "application/json",
          ...omitUndefined({ "content-type": body === null ? undefined : "application/json" }),
        },
        body,
      });
      setResult({ head: `${response.status} ${response.statusText}`, text: await startOf(response) });
    } catch {
      setResult({ head: general.offline, text: "" });
    } finally {
      setBusy(false);
    }
  }

  return (
    <details className="try-it">
      <summary>{texts.tryIt}</summary>
      <form onSubmit={(event) => void send(event)}>
        <p className="soft">{texts.tryHint}</p>
        {fields.map(({ name, required, in: place }) => (
          <Field key={name} label={<code>{name}</code>} isOptional={required !== true}>
            {(attributes) => (
              <input
                {...attributes}
                required={required === true || place === "path"}
                value={values[name] ?? ""}
                onChange={({ target }) => onChange({ ...given, values: { ...given.values, [name]: target.value } })}
              />
            )}
          </Field>
        ))}
        {body === null ? null : (
          <Field label={texts.bodyJson}>
            {(attributes) => (
              <textarea
                {...attributes}
                className="json-field"
                spellCheck={false}
                value={body}
                onChange={({ target }) => onChange({ ...given, body: target.value })}
              />
            )}
          </Field>
        )}
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {texts.send}
        </Button>
      </form>
      {result === null ? null : (
        <section aria-label={texts.result} className="result">
          <p role="status">
            <strong>{result.head}</strong>
          </p>
          <pre dir="ltr">{result.text}</pre>
          {result.text.length >= MAX_SHOWN ? <p className="soft">{texts.tooLarge}</p> : null}
        </section>
      )}
    </details>
  );
}

/** The first part of the body. A stream that does not end is left. */
async function startOf({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    while (text.length < MAX_SHOWN) {
      const { done, value } = await reader.read();
      if (done) return pretty(text);
      text += value;
    }
    return text.slice(0, MAX_SHOWN);
  } finally {
    void reader.cancel();
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, MAX_SHOWN);
  } catch {
    return text;
  }
}
