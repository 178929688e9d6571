/** A request: method, URL, headers as rows or as text, and a body of several kinds. */

import { useState } from "react";
import type { HttpRequestStep } from "../../../../../src/workflows/step.ts";
import { HTTP_METHODS } from "../../../../../src/workflows/step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { ExpressionEditor } from "../../expressions/expression-editor.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { ValueField } from "../../expressions/value-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { ChoiceField } from "../controls/plain-fields.tsx";
import type { KindProps } from "../kind-props.ts";
import { withField } from "../step-change.ts";
import { CurlDialog } from "./curl-dialog.tsx";
import { HeaderFields } from "./header-fields.tsx";
import { BODY_KINDS, type BodyKind, bodyKindOf, hasContentType, withContentType } from "./request-body.ts";

export function HttpRequestFields({ step, onChange, problemAt }: KindProps<HttpRequestStep>) {
  const { steps: texts } = useTexts();
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      <div className="field-actions">
        <Button icon="upload" onClick={() => setImporting(true)}>
          {texts.importCurl}
        </Button>
      </div>
      {isImporting ? (
        <CurlDialog
          onClose={() => setImporting(false)}
          onImport={(request) => {
            const { method: _method, headers: _headers, body: _body, ...kept } = step;
            onChange({ ...kept, ...request });
            setImporting(false);
          }}
        />
      ) : null}
      <ChoiceField
        label={texts.method}
        value={step.method}
        none={texts.byDefault("GET")}
        error={problemAt("/method")}
        options={HTTP_METHODS.map((value) => ({ value, label: value }))}
        onChange={(value) =>
          onChange(
            withField(
              step,
              "method",
              HTTP_METHODS.find((one) => one === value),
            ),
          )
        }
      />
      <ValueField
        label={texts.url}
        value={step.url}
        error={problemAt("/url")}
        hasAuto={true}
        placeholder="https://api.example.com/orders/{{ input.id }}"
        onChange={(value) => onChange({ ...step, url: typeof value === "string" ? value : "" })}
      />
      <HeaderFields
        headers={step.headers}
        problemAt={problemAt}
        onChange={(headers) => onChange(withField(step, "headers", headers))}
      />
      <BodyFields step={step} onChange={onChange} problemAt={problemAt} />
    </>
  );
}

function BodyFields({ step, onChange, problemAt }: KindProps<HttpRequestStep>) {
  const { steps: texts } = useTexts();
  const [wanted, setWanted] = useState<BodyKind | null>(null);
  const found = bodyKindOf(step.body);
  // Until something else is written, the kind is what was chosen.
  const kind = step.body === undefined ? "none" : (wanted ?? found);
  const error = problemAt("/body");
  const change = (body: string | undefined) => onChange(withField(step, "body", body));
  return (
    <>
      <ChoiceField
        label={texts.body}
        value={kind}
        error={kind === "none" ? error : null}
        options={BODY_KINDS.map((value) => ({ value, label: texts.bodyKinds[value] }))}
        onChange={(value) => {
          const next = BODY_KINDS.find((one) => one === value) ?? "none";
          setWanted(next);
          change(next === "none" ? undefined : (step.body ?? ""));
        }}
      />
      {kind === "none" ? null : (
        <LabelledField label={texts.bodyText} hint={texts.bodyHints[kind]} error={error}>
          {({ description }) => (
            <ExpressionEditor
              label={texts.bodyText}
              description={description}
              syntax="template"
              isSingleLine={kind === "expression"}
              hasAuto={true}
              error={error}
              value={step.body ?? ""}
              placeholder={
                kind === "expression" ? "{{ input.order }}" : kind === "json" ? '{ "id": "{{ input.id }}" }' : ""
              }
              onChange={change}
            />
          )}
        </LabelledField>
      )}
      {kind === "json" && !hasContentType(step.headers) ? (
        <div className="field-actions">
          <Button icon="plus" onClick={() => onChange({ ...step, headers: withContentType(step.headers) })}>
            {texts.addJsonHeader}
          </Button>
        </div>
      ) : null}
    </>
  );
}
