/** When a step ran, how long, and each of its tries. */
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import { Icon } from "../../elements/icons.tsx";
import { Duration } from "../../elements/values/time.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { openTry } from "../open-try.ts";
import { useShownRun } from "../run-context.ts";
import { useStepDetails } from "../step-details.ts";
import { timesText } from "../times-text.ts";
import { partName } from "./part-name.ts";

export function TimingTab({ step }: { readonly step: RunStep }) {
  const { run: texts, general } = useTexts();
  const format = useFormat();
  const { at, definition } = useShownRun();
  const { data } = useStepDetails(step, at);
  const { started_at, finished_at, attempts } = at === null ? step : (data ?? step);
  const tries = data?.latest_attempts ?? [];
  const times = at === null ? timesOf() : texts.tries(attempts);

  function timesOf(): string | undefined {
    if (step.items !== undefined) return texts.items(step.items.failed, step.items.total);
    const last = tries.at(-1);
    const part = last?.item ?? null;
    const open =
      last === undefined ? null : openTry(step, { number: last.number, part, isFailed: last.error !== null });
    const known = open?.part ?? part ?? undefined;
    return (
      timesText(texts, step, definition.byKey.get(step.key), known) ?? (attempts === 1 ? texts.tries(1) : undefined)
    );
  }

  return (
    <div className="timing-tab">
      <dl className="run-facts">
        <div>
          <dt>{texts.began}</dt>
          <dd>{started_at === null ? general.never : format.exact(started_at)}</dd>
        </div>
        <div>
          <dt>{texts.finished}</dt>
          <dd>{finished_at === null ? "–" : format.exact(finished_at)}</dd>
        </div>
        {started_at === null ? null : (
          <div>
            <dt>{texts.took}</dt>
            <dd>
              <Duration from={started_at} to={finished_at} />
              {times === undefined ? null : ` · ${times}`}
            </dd>
          </div>
        )}
      </dl>
      {tries.length === 0 ? null : (
        <ol className="try-list">
          {tries.map(({ number, item, started_at, finished_at, error }) => (
            <li key={`${item ?? ""} ${number}`} className={error === null ? "succeeded" : "failed"}>
              <p>
                <Icon name={error === null ? "check" : "cross"} size={14} />{" "}
                <strong>
                  {[
                    ...(item === undefined ? [] : [partName(texts, step, item)]),
                    // Of what was done at once, there is nothing to count.
                    ...(item !== undefined && number === 1 && error === null ? [] : [texts.attempt(number)]),
                  ].join(" · ")}
                </strong>{" "}
                {format.timeOfDay(started_at)} · <Duration from={started_at} to={finished_at} />
              </p>
              {error === null ? null : (
                <p dir="auto">
                  <code>{error.code}</code> {error.message}
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
