/** What happens when a step fails: `retry`, `timeout`, `throw_on_error` and catch routes. */

import type { NoteStep, Step } from "../../../../../src/workflows/step.ts";
import type { CatchRoute, Retry } from "../../../../../src/workflows/step-policies.ts";
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { ExpressionEditor } from "../../expressions/expression-editor.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { AddRow } from "../controls/add-row.tsx";
import { LinesField, StepKeysField } from "../controls/list-fields.tsx";
import { ChoiceField, NumberField, SwitchField } from "../controls/plain-fields.tsx";
import { Row, RowTools } from "../controls/row-tools.tsx";
import { type KindProps, worstAt } from "../kind-props.ts";
import { moved, removed, replaced, withField } from "../step-change.ts";
import { Section } from "./section.tsx";
import { isExecuted } from "./when-section.tsx";

type Failing = Exclude<Step, NoteStep>;

export function ErrorsSection({ step, onChange, problemAt }: KindProps<Failing>) {
  const { steps: texts } = useTexts();
  const problem = worstAt(problemAt, ["/retry", "/timeout", "/on_error", "/throw_on_error"]);
  const isUsed =
    "retry" in step || "timeout" in step || step.on_error !== undefined || step.throw_on_error !== undefined;
  return (
    <Section title={texts.errors} isOpen={isUsed} problem={problem}>
      <SwitchField
        label={texts.throwOnError}
        hint={texts.throwOnErrorHint}
        isOn={step.throw_on_error ?? true}
        error={problemAt("/throw_on_error")}
        onChange={(isOn) => onChange(withField(step, "throw_on_error", isOn ? undefined : false))}
      />
      {step.type === "branch" ? null : (
        <NumberField
          label={step.type === "input" ? texts.waitTimeout : texts.timeout}
          unit="s"
          value={step.timeout}
          error={problemAt("/timeout")}
          onChange={(value) => onChange(withField(step, "timeout", value))}
        />
      )}
      {isExecuted(step) ? (
        <RetryFields
          retry={step.retry}
          problemAt={problemAt}
          onChange={(retry) => onChange(withField(step, "retry", retry))}
        />
      ) : null}
      <CatchRoutes
        routes={step.on_error ?? []}
        problemAt={problemAt}
        onChange={(routes) => onChange(withField(step, "on_error", routes.length === 0 ? undefined : [...routes]))}
      />
    </Section>
  );
}

interface RetryFieldsProps {
  readonly retry: Retry | undefined;
  readonly onChange: (retry: Retry | undefined) => void;
  readonly problemAt: (pointer: string) => FieldProblem | null;
}

function RetryFields({ retry, onChange, problemAt }: RetryFieldsProps) {
  const { steps: texts } = useTexts();
  const isOwn = retry !== undefined;
  return (
    <>
      <SwitchField
        label={texts.ownRetry}
        hint={texts.ownRetryHint}
        isOn={isOwn}
        onChange={(isOn) => onChange(isOn ? { max_attempts: 3 } : undefined)}
      />
      {retry === undefined ? null : (
        <div className="field-grid">
          <NumberField
            label={texts.maxAttempts}
            isOptional={false}
            value={retry.max_attempts}
            error={problemAt("/retry/max_attempts")}
            onChange={(value) => onChange({ ...retry, max_attempts: value ?? 1 })}
          />
          <NumberField
            label={texts.initialInterval}
            unit="s"
            placeholder="1"
            value={retry.initial_interval}
            error={problemAt("/retry/initial_interval")}
            onChange={(value) => onChange(withField(retry, "initial_interval", value))}
          />
          <NumberField
            label={texts.backoff}
            placeholder="2"
            value={retry.backoff}
            error={problemAt("/retry/backoff")}
            onChange={(value) => onChange(withField(retry, "backoff", value))}
          />
          <NumberField
            label={texts.maxInterval}
            unit="s"
            placeholder="60"
            value={retry.max_interval}
            error={problemAt("/retry/max_interval")}
            onChange={(value) => onChange(withField(retry, "max_interval", value))}
          />
          <RetryOn retry={retry} onChange={onChange} problemAt={problemAt} />
        </div>
      )}
    </>
  );
}

function RetryOn({ retry, onChange, problemAt }: RetryFieldsProps & { readonly retry: Retry }) {
  const { steps: texts } = useTexts();
  const { on } = retry;
  const chosen = typeof on === "object" ? "codes" : on;
  return (
    <>
      <ChoiceField
        label={texts.retryOn}
        value={chosen}
        none={texts.typeDefault}
        error={chosen === "codes" ? null : problemAt("/retry/on")}
        options={[
          { value: "transient", label: texts.retryTransient },
          { value: "any", label: texts.retryAny },
          { value: "codes", label: texts.retryCodes },
        ]}
        onChange={(value) => {
          const next = value === "codes" ? ["timeout"] : value === "transient" || value === "any" ? value : undefined;
          onChange(withField(retry, "on", next));
        }}
      />
      {typeof on === "object" ? (
        <LinesField
          label={texts.errorCodes}
          values={on}
          placeholder={"timeout\nhttp_status"}
          error={problemAt("/retry/on")}
          onChange={(codes) => onChange({ ...retry, on: codes ?? [] })}
        />
      ) : null}
    </>
  );
}

interface CatchRoutesProps {
  readonly routes: readonly CatchRoute[];
  readonly onChange: (routes: readonly CatchRoute[]) => void;
  readonly problemAt: (pointer: string) => FieldProblem | null;
}

function CatchRoutes({ routes, onChange, problemAt }: CatchRoutesProps) {
  const { steps: texts } = useTexts();
  return (
    <div className="rows">
      <h3>{texts.catchRoutes}</h3>
      <p className="hint">{texts.catchRoutesHint}</p>
      {routes.map((route, index) => {
        const name = texts.catchRoute(index + 1);
        const move = (by: -1 | 1) => onChange(moved(routes, index, by));
        return (
          <Row key={index} name={name} onMove={move}>
            <div className="row-head">
              <strong>{name}</strong>
              <RowTools
                name={name}
                isFirst={index === 0}
                isLast={index === routes.length - 1}
                onMove={move}
                onRemove={() => onChange(removed(routes, index))}
              />
            </div>
            <LabelledField label={texts.ifError} isOptional={true} error={problemAt(`/on_error/${index}/condition`)}>
              {() => (
                <ExpressionEditor
                  label={texts.ifError}
                  syntax="expression"
                  place="on_error"
                  value={route.condition ?? ""}
                  placeholder={'error.code == "timeout"'}
                  onChange={(value) =>
                    onChange(replaced(routes, index, withField(route, "condition", value === "" ? undefined : value)))
                  }
                />
              )}
            </LabelledField>
            <StepKeysField
              way={{ kind: "catch", route: index }}
              label={texts.goesTo}
              keys={route.destinations}
              error={problemAt(`/on_error/${index}/destinations`)}
              onChange={(destinations) => onChange(replaced(routes, index, { ...route, destinations }))}
            />
          </Row>
        );
      })}
      <AddRow onAdd={() => onChange([...routes, { destinations: [] }])}>{texts.addCatchRoute}</AddRow>
    </div>
  );
}
