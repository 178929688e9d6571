/** One step in the waterfall. */
import { memo, useState } from "react";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import type { Step, StepType } from "../../../../../src/workflows/step.ts";
import { IconButton } from "../../elements/controls/button.tsx";
import { Icon, type IconName } from "../../elements/icons.tsx";
import { StatusSign } from "../../elements/values/status-sign.tsx";
import { Duration } from "../../elements/values/time.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import type { Messages } from "../../texts/messages.ts";
import type { ShownRun } from "../run-context.ts";
import { timesText } from "../times-text.ts";
import { percent } from "./axis-head.tsx";
import { type Bar, type StepBars, type Try, waitsForPerson } from "./bars.ts";
import { ChildRuns } from "./child-runs.tsx";
import { ItemStrip } from "./item-strip.tsx";
import type { TimeAxis } from "./time-axis.ts";

interface RowProps {
  readonly step: RunStep;
  readonly definition: Step | undefined;
  readonly bars: StepBars;
  readonly axis: TimeAxis;
  readonly isChosen: boolean;
  readonly isFocusable: boolean;
  readonly isDifferent: boolean;
  readonly onChoose: ShownRun["choose"];
}

const SIGNS: ReadonlySet<string> = new Set([
  "note",
  "input",
  "branch",
  "code",
  "model",
  "http_request",
  "browser",
  "workflow",
  "service",
] satisfies StepType[]);

export const signOf = (type: string): IconName => (isStepType(type) ? type : "circle");
const isStepType = (type: string): type is StepType => SIGNS.has(type);

export const WaterfallRow = memo(
  function WaterfallRow(props: RowProps) {
    const { run: texts, canvas } = useTexts();
    const { step, definition, axis, bars, isChosen, isFocusable, isDifferent, onChoose } = props;
    const [hasChildren, setChildren] = useState(false);
    const type = isStepType(step.type) ? canvas.types[step.type] : step.type;
    return (
      <li className={`waterfall-row ${step.status}${isChosen ? " chosen" : ""}`}>
        <div className="row-line">
          <button
            type="button"
            className="row-button"
            data-row={step.key}
            data-step={step.key}
            aria-pressed={isChosen}
            tabIndex={isFocusable ? 0 : -1}
            onClick={() => onChoose(step.key)}
          >
            <span className="name">
              <span className="type" title={type}>
                <Icon name={signOf(step.type)} />
                <span className="visually-hidden">{type}</span>
              </span>
              <bdi className="key">{step.key}</bdi>
              <StatusSign
                status={step.status}
                isForPerson={waitsForPerson(step, definition)}
                isWordHidden={step.status === "succeeded"}
              />
              {isDifferent ? <span className="differs">{texts.differs}</span> : null}
            </span>
            {/* The bars say in colours and lengths what the words beside them say. */}
            <span className="axis" aria-hidden="true">
              <CutMarks axis={axis} />
              {bars.bars.map((bar) => (
                <BarOf key={bar.from} bar={bar} axis={axis} status={step.status} />
              ))}
              {bars.tries.map((one) => (
                <TryMark key={`${one.part} ${one.number}`} one={one} axis={axis} />
              ))}
            </span>
            <Took {...props} />
          </button>
          {step.child_runs === undefined ? null : (
            <IconButton
              icon={hasChildren ? "chevronDown" : "chevronRight"}
              label={hasChildren ? texts.hideChildRuns : texts.showChildRuns}
              aria-expanded={hasChildren}
              onClick={() => setChildren(!hasChildren)}
            />
          )}
        </div>
        {step.items === undefined ? null : (
          <ItemStrip step={step} items={step.items} bars={bars.bars} axis={axis} onChoose={onChoose} />
        )}
        {hasChildren ? <ChildRuns step={step} axis={axis} /> : null}
      </li>
    );
  },
  (one, other) =>
    one.step === other.step &&
    one.definition === other.definition &&
    one.axis === other.axis &&
    one.isChosen === other.isChosen &&
    one.isFocusable === other.isFocusable &&
    one.isDifferent === other.isDifferent &&
    one.onChoose === other.onChoose &&
    sameBars(one.bars, other.bars),
);

function sameBars(one: StepBars, other: StepBars): boolean {
  return (
    one.bars.length === other.bars.length &&
    one.tries.length === other.tries.length &&
    one.bars.every(({ from, to, kind }, index) => {
      const bar = other.bars[index];
      return bar !== undefined && bar.from === from && bar.to === to && bar.kind === kind;
    })
  );
}

function BarOf({ bar, axis, status }: { readonly bar: Bar; readonly axis: TimeAxis; readonly status: string }) {
  const { run: texts } = useTexts();
  const format = useFormat();
  const start = axis.placeOf(bar.from);
  const width = axis.placeOf(bar.to) - start;
  return (
    <span
      // What ran did not wait, though its step does now.
      className={status === "waiting" ? `bar ${bar.kind}` : `bar ${bar.kind} ${status}`}
      style={{ left: percent(start), width: percent(width) }}
      title={`${texts.bar[bar.kind]}, ${format.duration(bar.to - bar.from)}`}
    />
  );
}

function TryMark({ one, axis }: { readonly one: Try; readonly axis: TimeAxis }) {
  const { run: texts } = useTexts();
  if (!one.isFailed) return null;
  return <span className="try" style={{ left: percent(axis.placeOf(one.to)) }} title={tryName(texts, one)} />;
}

const tryName = (texts: Messages["run"], { part, number }: Try): string =>
  [...(part === null ? [] : [texts.repetition(part + 1)]), texts.attempt(number)].join(" · ");

function CutMarks({ axis }: { readonly axis: TimeAxis }) {
  const { run: texts } = useTexts();
  return axis.parts
    .filter(({ isCut }) => isCut)
    .map(({ from, start, end }) => (
      <span
        key={from}
        className="cut"
        style={{ left: percent(start), width: percent(end - start) }}
        title={texts.cutText}
      />
    ));
}

function Took({ step, definition, bars }: Pick<RowProps, "step" | "definition" | "bars">) {
  const { run: texts } = useTexts();
  const { started_at, finished_at } = step;
  const times = timesText(texts, step, definition, bars.tries.at(-1)?.part ?? undefined);
  return (
    <span className="took">
      {times === undefined ? null : <span className="tries">{times}</span>}
      {started_at === null || step.status === "skipped" ? null : <Duration from={started_at} to={finished_at} />}
    </span>
  );
}
