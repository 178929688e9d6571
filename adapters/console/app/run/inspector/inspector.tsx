/** What is known of the chosen step: its input, output, error, log, times and definition. Without one, those of the run. */
import { useLayoutEffect } from "react";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import { IconButton } from "../../elements/controls/button.tsx";
import { Tabs } from "../../elements/controls/tabs.tsx";
import { Icon } from "../../elements/icons.tsx";
import { useHeadingFocus } from "../../elements/page-head.tsx";
import { StatusSign } from "../../elements/values/status-sign.tsx";
import { Link } from "../../routing/link.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { type ShownRun, TABS, type Tab, useShownRun } from "../run-context.ts";
import { useStepDetails } from "../step-details.ts";
import { useCloseKey } from "../use-close-key.ts";
import { waitsForPerson } from "../waterfall/bars.ts";
import { signOf } from "../waterfall/waterfall-row.tsx";
import { DefinitionTab } from "./definition-tab.tsx";
import { ErrorTab, hasLeftOutErrors } from "./error-tab.tsx";
import { InputTab } from "./input-tab.tsx";
import { ItemsTab } from "./items-tab.tsx";
import { LogTab } from "./log-tab.tsx";
import { OutputTab } from "./output-tab.tsx";
import { partName } from "./part-name.ts";
import { RunValues } from "./run-values.tsx";
import { TimingTab } from "./timing-tab.tsx";
import "./inspector.css";

export function Inspector({ isNarrow }: { readonly isNarrow: boolean }) {
  const { run: texts } = useTexts();
  const { live, chosen } = useShownRun();
  const step = live.run.steps.find(({ key }) => key === chosen);
  return (
    <section className="run-inspector" aria-label={texts.inspector}>
      {step === undefined ? (
        <RunValues />
      ) : (
        <>
          <StepHead step={step} isNarrow={isNarrow} />
          <Waiting step={step} />
          <StepTabs step={step} />
        </>
      )}
    </section>
  );
}

function StepHead({ step, isNarrow }: { readonly step: RunStep; readonly isNarrow: boolean }) {
  const { run: texts } = useTexts();
  const { at, close, definition } = useShownRun();
  const part = useStepDetails(step, at, at !== null);
  // On narrow screens, the step is the page.
  const Heading = isNarrow ? "h1" : "h2";
  const heading = useHeadingFocus();
  useCloseKey(close);
  useLayoutEffect(() => {
    // The list before it was scrolled, and the step is shorter.
    if (isNarrow) scrollTo({ top: 0, behavior: "instant" });
  }, [isNarrow, step.key]);
  return (
    <header>
      {isNarrow ? (
        <IconButton icon="chevronLeft" label={texts.list} onClick={close} aria-keyshortcuts="Escape" />
      ) : null}
      <Heading ref={heading} tabIndex={-1}>
        <Icon name={signOf(step.type)} size={18} /> <bdi>{step.key}</bdi>
        {at === null ? null : (
          <span className="at" title={texts.indexInExpressions(at)}>
            {partName(texts, step, at)}
          </span>
        )}
      </Heading>
      <StatusSign
        status={at === null ? step.status : (part.data?.status ?? step.status)}
        isForPerson={waitsForPerson(step, definition.byKey.get(step.key))}
      />
      {isNarrow ? null : <IconButton icon="close" label={texts.closeStep} onClick={close} aria-keyshortcuts="Escape" />}
    </header>
  );
}

/** What an open step waits for, and where to answer. */
function Waiting({ step }: { readonly step: RunStep }) {
  const { run: texts } = useTexts();
  const format = useFormat();
  const { appId, live, definition } = useShownRun();
  if (step.finished_at !== null) return null;
  const isPerson = step.status === "waiting" && waitsForPerson(step, definition.byKey.get(step.key));
  if (!isPerson && step.waits_until === undefined) return null;
  return (
    <p className="step-waits">
      {isPerson ? texts.waitsForPerson : null}{" "}
      {step.waits_until === undefined ? null : texts.waitsUntil(format.exact(step.waits_until))}{" "}
      {isPerson ? (
        <Link to={`/apps/${appId}/inbox/${live.run.id}/${encodeURIComponent(step.key)}`} className="button primary">
          {texts.answer}
        </Link>
      ) : null}
    </p>
  );
}

function StepTabs({ step }: { readonly step: RunStep }) {
  const { run: texts } = useTexts();
  const { params, setParams, definition } = useShownRun();
  const shown = TABS.filter((tab) => hasTab(tab, step, definition));
  const wanted = params.get("tab");
  const tab = shown.find((one) => one === wanted) ?? (step.error !== null ? "error" : "output");
  return (
    <Tabs
      label={texts.inspector}
      tabs={shown.map((name) => ({ name, label: texts.tabs[name] }))}
      chosen={tab}
      onChoose={(name) => setParams({ tab: name }, { replace: true })}
    >
      <TabContent key={step.key} tab={tab} step={step} />
    </Tabs>
  );
}

function hasTab(tab: Tab, step: RunStep, { byKey }: ShownRun["definition"]): boolean {
  if (tab === "definition") return byKey.has(step.key);
  if (tab === "error") return step.error !== null || (step.errors ?? []).length > 0 || hasLeftOutErrors(step);
  return tab !== "items" || step.items !== undefined || byKey.get(step.key)?.loop !== undefined;
}

function TabContent({ tab, step }: { readonly tab: Tab; readonly step: RunStep }) {
  const definition = useShownRun().definition.byKey.get(step.key);
  switch (tab) {
    case "input":
      return <InputTab step={step} />;
    case "output":
      return <OutputTab step={step} />;
    case "error":
      return <ErrorTab step={step} />;
    case "log":
      return <LogTab step={step} />;
    case "timing":
      return <TimingTab step={step} />;
    case "items":
      return <ItemsTab step={step} />;
    case "definition":
      return definition === undefined ? null : <DefinitionTab step={step} definition={definition} />;
  }
}
