/** Why a step or one of its items failed, and what one can do. */

import { useState } from "react";
import { pointerNames } from "../../../../../src/encoding/json-pointer.ts";
import type { RunStep, StepFailure } from "../../../../../src/runs/run-step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Loading } from "../../elements/loading.tsx";
import { JsonView } from "../../elements/values/json-view.tsx";
import { visibleText } from "../../elements/values/visible-text.ts";
import { Link } from "../../routing/link.tsx";
import { useScopeRefusal } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";
import { RetryDialog } from "../actions/retry-dialog.tsx";
import { adviceOf } from "../advice.ts";
import { useShownRun } from "../run-context.ts";
import { LongText } from "../values/long-text.tsx";
import { failedChildOf } from "./failed-child.ts";
import { partName } from "./part-name.ts";
import { failedLine, useShownError } from "./shown-error.ts";

export function ErrorTab({ step }: { readonly step: RunStep }) {
  const { run: texts } = useTexts();
  const { at } = useShownRun();
  const { error, isLoading } = useShownError(step);
  if (isLoading) return <Loading />;
  const leftOut = at === null && hasLeftOutErrors(step) ? <LeftOutErrors step={step} /> : null;
  if (error === null) return leftOut ?? <p className="hint">{texts.noItems}</p>;
  return (
    <div className="error-tab">
      {leftOut}
      <p className="error-message" dir="auto" tabIndex={0}>
        {error.message}
      </p>
      <p className="error-facts">
        <code>{error.code}</code>
        {error.field === undefined ? null : <span>{texts.failedField(pointerNames(error.field).join(" / "))}</span>}
        {error.index === undefined ? null : <span>{partName(texts, step, error.index)}</span>}
        {error.status === undefined ? null : <span>{texts.httpStatus(error.status)}</span>}
      </p>
      <FailedPlace step={step} error={error} />
      <WhatToDo step={step} error={error} />
      {error.headers === undefined ? null : (
        <details>
          <summary>{texts.headers}</summary>
          <dl className="header-list" dir="ltr">
            {Object.entries(error.headers).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{visibleText(value)}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {error.body === undefined ? null : (
        <details open>
          <summary>{texts.body}</summary>
          {typeof error.body === "string" ? <LongText value={error.body} as="text" /> : <JsonView value={error.body} />}
        </details>
      )}
    </div>
  );
}

/** Leads to the line of the code or to the field that failed, as the version that ran has it. */
function FailedPlace({ step, error }: { readonly step: RunStep; readonly error: StepFailure }) {
  const { run: texts } = useTexts();
  const { definition, setParams } = useShownRun();
  const line = failedLine(error);
  if ((line === null && error.field === undefined) || !definition.byKey.has(step.key)) return null;
  return (
    <p>
      <Button icon="code" onClick={() => setParams({ tab: "definition" }, { replace: true })}>
        {line === null ? texts.showField : texts.showLine(line)}
      </Button>
    </p>
  );
}

/** Whether the errors of items are too long to be read with the run. */
export const hasLeftOutErrors = ({ omitted }: RunStep): boolean => omitted?.includes("errors") === true;

/** The errors of items that were not read with the run. The list of items reads them page by page. */
function LeftOutErrors({ step }: { readonly step: RunStep }) {
  const { run: texts } = useTexts();
  const { setParams } = useShownRun();
  return (
    <p className="cut-note">
      {texts.errorsLeftOut(step.items?.failed ?? 0)}{" "}
      <Button onClick={() => setParams({ tab: "items" }, { replace: true })}>{texts.showItems}</Button>
    </p>
  );
}

function WhatToDo({ step, error }: { readonly step: RunStep; readonly error: StepFailure }) {
  const { run: texts } = useTexts();
  const { appId, live } = useShownRun();
  const refusal = useScopeRefusal("runs:write");
  const [isRetrying, setRetrying] = useState(false);
  const { run } = live;
  const child = failedChildOf(error);
  const isRetryable = run.status === "failed" || run.status === "canceled";
  return (
    <section className="what-to-do">
      <h2 className="minor">{texts.canDo}</h2>
      <p>{texts.advice[adviceOf(error)]}</p>
      <ul>
        {child === null ? null : (
          <li>
            <Link to={`/apps/${appId}/runs/${child}`}>{texts.openFailedChild}</Link>
          </li>
        )}
        {isRetryable ? (
          <li>
            <p>{texts.retryFromHereText(step.key)}</p>
            <Button icon="redo" refusal={refusal} onClick={() => setRetrying(true)}>
              {texts.retryFromHere}
            </Button>
          </li>
        ) : null}
        <li>
          <Link to={`/apps/${appId}/workflows/${run.workflow_id}?step=${encodeURIComponent(step.key)}`} current="none">
            {texts.openDraft}
          </Link>
        </li>
      </ul>
      {isRetrying ? <RetryDialog fromStep={step.key} onClose={() => setRetrying(false)} /> : null}
    </section>
  );
}
