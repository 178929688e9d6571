/** One operation: its address, what it takes and gives, examples, and a form that sends it. */

import { useState } from "react";
import { CopyButton } from "../elements/controls/copy-button.tsx";
import { Tabs } from "../elements/controls/tabs.tsx";
import { PageHead } from "../elements/page-head.tsx";
import { mount } from "../routing/location.ts";
import { useSession } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { appOf, type Given, isForAdmin } from "./call.ts";
import { clientExample } from "./client-example.ts";
import { nameOf, type OpenApiDocument, type Operation, type Parameter, type ResponseInfo } from "./document.ts";
import { exampleBody } from "./example-body.ts";
import { curlExample, fetchExample } from "./examples.ts";
import { Method } from "./method.tsx";
import { Prose } from "./prose.tsx";
import { SchemaView, typeOf } from "./schema-view.tsx";
import { TryIt } from "./try-it.tsx";

interface OperationViewProps {
  readonly document: OpenApiDocument;
  readonly operation: Operation;
}

const PLACES = ["path", "query", "header"] as const;

export function OperationView({ document, operation }: OperationViewProps) {
  const { reference: texts } = useTexts();
  const { method, path, summary = operation.operationId, description, parameters = [] } = operation;
  const body = Object.entries(operation.requestBody?.content ?? {});
  const [given, setGiven] = useState<Given>(() => ({ values: {}, body: exampleBody(document, operation) }));
  return (
    <article className="operation">
      <PageHead
        title={summary}
        below={
          <>
            <Method method={method} /> <code>{path}</code>
          </>
        }
      />
      {description === undefined ? null : <Prose text={description} />}
      <p>
        {texts.access}: <Access operation={operation} />
      </p>
      {PLACES.map((place) => (
        <Parameters key={place} title={texts[place]} parameters={parameters.filter((one) => one.in === place)} />
      ))}
      {body.map(([type, { schema }]) => (
        <section key={type}>
          <h2>
            {texts.body} <code>{type}</code>
          </h2>
          {schema === undefined ? null : <SchemaView document={document} schema={schema} />}
        </section>
      ))}
      <Examples operation={operation} given={given} />
      <TryIt operation={operation} given={given} onChange={setGiven} />
      <h2>{texts.responses}</h2>
      {Object.entries(operation.responses ?? {}).map(([status, response]) => (
        <ResponseView key={status} document={document} status={status} response={response} />
      ))}
    </article>
  );
}

function Access({ operation }: { readonly operation: Operation }) {
  const { reference: texts } = useTexts();
  const { security = [] } = operation;
  const isOpen = security.length === 0;
  const scopes = security.flatMap((one) => one["appKey"] ?? []);
  const hasAppKey = security.some((one) => one["appKey"] !== undefined);
  if (isOpen) return texts.open;
  if (isForAdmin(operation)) return texts.adminKey;
  const key = scopes.length === 0 ? texts.anyKey : texts.appKey(scopes.join(", "));
  const isPublicToo = hasAppKey && security.some((one) => Object.keys(one).length === 0);
  return isPublicToo ? `${key}. ${texts.orOpen}.` : key;
}

function Parameters({ title, parameters }: { readonly title: string; readonly parameters: readonly Parameter[] }) {
  const { reference: texts } = useTexts();
  if (parameters.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <dl className="schema">
        {parameters.map(({ name, required, description, schema }) => (
          <div key={name} className="property">
            <dt>
              <code>{name}</code>{" "}
              <span className="soft">{schema === undefined ? "" : typeOf(schema, texts.listOf)}</span>{" "}
              {required === true ? <strong>{texts.required}</strong> : null}
            </dt>
            <dd>{description === undefined ? null : <Prose text={description} />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface ResponseViewProps {
  readonly document: OpenApiDocument;
  readonly status: string;
  readonly response: ResponseInfo;
}

function ResponseView({ document, status, response }: ResponseViewProps) {
  const resolved =
    response.$ref === undefined ? response : (document.components.responses?.[nameOf(response.$ref)] ?? response);
  const schemas = Object.entries(resolved.content ?? {});
  return (
    <details className="response">
      <summary>
        <code>{status}</code> <Prose text={resolved.description ?? ""} isInline />
      </summary>
      {schemas.map(([type, { schema }]) => (
        <div key={type}>
          <p>
            <code>{type}</code>
          </p>
          {schema === undefined ? null : <SchemaView document={document} schema={schema} />}
        </div>
      ))}
    </details>
  );
}

const KINDS = ["curl", "fetch", "client"] as const;

interface ExamplesProps {
  readonly operation: Operation;
  readonly given: Given;
}

function Examples({ operation, given }: ExamplesProps) {
  const { reference: texts } = useTexts();
  const { app_id } = useSession();
  const [kind, setKind] = useState<(typeof KINDS)[number]>("curl");
  const call = {
    operation,
    given: { ...given, values: { app_id: appOf(operation, app_id), ...given.values } },
    server: `${location.origin}${mount}`,
  };
  const examples = { curl: curlExample(call), fetch: fetchExample(call), client: clientExample(call) };
  const tabs = KINDS.filter((name) => examples[name] !== null);
  const text = examples[kind] ?? examples.curl;
  return (
    <section>
      <h2>{texts.examples}</h2>
      <Tabs label={texts.examples} tabs={tabs.map((name) => ({ name, label: name }))} chosen={kind} onChoose={setKind}>
        <div className="example">
          <pre dir="ltr">
            <code>{text}</code>
          </pre>
          <CopyButton text={text} />
        </div>
      </Tabs>
    </section>
  );
}
