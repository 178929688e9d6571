/** Sends an operation with the session of the console, and shows the response. */

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { useBusy } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { mount } from "../routing/location.ts";
import { ownHeaders } from "../server/client.ts";
import { useSession } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { addressOf, appOf, bodyTypeOf, type Given, headersOf, isStream, sentBody } from "./call.ts";
import type { Operation } from "./document.ts";
import { ParameterField } from "./parameter-field.tsx";

/** Longer responses are cut: this page is for looking. */
const MAX_SHOWN = 65_536;

interface TryItProps {
  readonly operation: Operation;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
}

interface Result {
  /** Status of the response. */
  readonly head: string;
  readonly text: string;
  /** Whether the connection was lost after this part. @default false */
  readonly isCut?: boolean;
}

export function TryIt({ operation, given, onChange }: TryItProps) {
  const { reference: texts, general } = useTexts();
  const { app_id } = useSession();
  const { parameters = [], fileField } = operation;
  const { body } = given;
  const type = bodyTypeOf(operation);
  const values: Given["values"] = { app_id: app_id ?? appOf(operation, null), ...given.values };
  const [file, setFile] = useState<File | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const { isBusy, during } = useBusy();
  const fields = parameters.filter((one) => one.in !== "header");

  /** Ends the response before, which may be a stream. */
  const sent = useRef<AbortController>(null);
  useEffect(() => () => sent.current?.abort(), []);

  async function call(signal: AbortSignal, show: (result: Result) => void): Promise<void> {
    const request = requestOf(operation, given, file);
    const address = `${mount}${addressOf(operation, { ...given, values }, () => "")}`;
    const response = await fetch(address, { ...request, credentials: "same-origin", signal });
    // HTTP/2 has no text for the status.
    const head = `${response.status} ${response.statusText}`.trim();
    if (response.headers.get("content-type")?.startsWith("text/event-stream") === true)
      await readParts(response, (text) => show({ head, text }));
    else show({ head, text: pretty(await readParts(response)) });
  }

  function send(event: FormEvent): void {
    event.preventDefault();
    sent.current?.abort();
    const sending = new AbortController();
    const { signal } = sending;
    sent.current = sending;
    // It ends with the first part that is shown: a stream goes on.
    const untilShown = () =>
      new Promise<void>((resolve) => {
        let shown: Result | null = null;
        const show = (next: Result) => {
          if (signal.aborted) return;
          shown = next;
          setResult(next);
          resolve();
        };
        call(signal, show).catch(() =>
          show(shown === null ? { head: general.offline, text: "" } : { ...shown, isCut: true }),
        );
      });
    void during(untilShown);
  }

  return (
    <details className="try-it">
      <summary>{texts.tryIt}</summary>
      <form onSubmit={send}>
        <p className="soft">{texts.tryHint}</p>
        {fields.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name] ?? ""}
            onChange={(value) => onChange({ ...given, values: { ...given.values, [parameter.name]: value } })}
          />
        ))}
        {body === null ? null : (
          <Field
            label={
              <>
                {texts.body} <code>{type}</code>
              </>
            }
          >
            {(attributes) =>
              fileField === null ? (
                <textarea
                  {...attributes}
                  className="json-field"
                  spellCheck={false}
                  value={body}
                  onChange={({ target }) => onChange({ ...given, body: target.value })}
                />
              ) : (
                <input
                  {...attributes}
                  type="file"
                  required
                  onChange={({ target }) => {
                    const [chosen] = target.files ?? [];
                    setFile(chosen ?? null);
                    if (chosen !== undefined) onChange({ ...given, body: chosen.name });
                  }}
                />
              )
            }
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
          {result.isCut === true ? <p role="alert">{texts.connectionLost}</p> : null}
          {result.text.length >= MAX_SHOWN ? <p className="soft">{texts.tooLarge}</p> : null}
        </section>
      )}
    </details>
  );
}

/** @param file Of an operation that takes one. */
function requestOf(operation: Operation, given: Given, file: File | null): RequestInit {
  const { method, fileField } = operation;
  const body = sentBody(given);
  const headers = new Headers(ownHeaders());
  headers.set("accept", isStream(operation) ? "text/event-stream" : "application/json");
  for (const [name, value] of Object.entries(headersOf(operation))) headers.set(name, value);
  if (fileField !== null && file !== null) {
    const form = new FormData();
    form.set(fileField, file);
    return { method, headers, body: form };
  }
  const type = bodyTypeOf(operation);
  if (body !== null && type !== undefined) headers.set("content-type", type);
  return { method, headers, body };
}

/** @returns The first part of the body. @param onText Gets it as far as it has arrived. */
async function readParts({ body }: Response, onText?: (text: string) => void): Promise<string> {
  let text = "";
  onText?.(text);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  while (reader !== undefined && text.length < MAX_SHOWN) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
    onText?.(text.slice(0, MAX_SHOWN));
  }
  void reader?.cancel();
  return text.slice(0, MAX_SHOWN);
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, MAX_SHOWN);
  } catch {
    return text;
  }
}
