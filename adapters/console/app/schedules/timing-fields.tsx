/** When a schedule runs: by a cron expression, at an interval, or once. */
import { useId } from "react";
import { findCronProblem } from "../../../../src/schedules/cron-problem.ts";
import { fieldError } from "../elements/dialogs/use-action.ts";
import { Field } from "../elements/fields/field.tsx";
import { MomentNote } from "../elements/fields/moment-note.tsx";
import { useTexts } from "../texts/language.ts";
import type { Messages } from "../texts/messages.ts";
import { CronWords } from "./cron-words.tsx";
import { INTERVAL_UNITS } from "./interval.ts";
import { type ScheduleDraft, TIMINGS } from "./schedule-draft.ts";
import "./timing-fields.css";

interface TimingFieldsProps {
  readonly draft: ScheduleDraft;
  readonly onChange: (changes: Partial<ScheduleDraft>) => void;
  readonly error: unknown;
}

export function TimingFields({ draft, onChange, error }: TimingFieldsProps) {
  const { schedules: texts } = useTexts();
  const name = useId();
  return (
    <fieldset className="timing-fields">
      <legend>{texts.timing}</legend>
      <div className="kinds">
        {TIMINGS.map((timing) => (
          <label key={timing}>
            <input type="radio" name={name} checked={draft.timing === timing} onChange={() => onChange({ timing })} />{" "}
            {texts.kinds[timing]}
          </label>
        ))}
      </div>
      {draft.timing === "cron" ? <CronFields draft={draft} onChange={onChange} error={error} /> : null}
      {draft.timing === "every" ? (
        <Field label={texts.every} error={fieldError(error, "/every")}>
          {(attributes) => (
            <span className="interval">
              <input
                {...attributes}
                inputMode="decimal"
                required
                value={draft.every}
                onChange={({ target }) => onChange({ every: target.value })}
              />
              <select
                aria-label={texts.unit}
                value={draft.unit}
                onChange={({ target }) =>
                  onChange({ unit: INTERVAL_UNITS.find((one) => one === target.value) ?? draft.unit })
                }
              >
                {INTERVAL_UNITS.map((unit) => (
                  <option key={unit} value={unit}>
                    {texts.units[unit]}
                  </option>
                ))}
              </select>
            </span>
          )}
        </Field>
      ) : null}
      {draft.timing === "at" ? (
        <Field
          label={texts.at}
          hint={Intl.DateTimeFormat().resolvedOptions().timeZone}
          error={fieldError(error, "/at")}
        >
          {(attributes) => (
            <>
              <input
                {...attributes}
                type="datetime-local"
                required
                value={draft.at}
                onChange={({ target }) => onChange({ at: target.value })}
              />
              <MomentNote local={draft.at} />
            </>
          )}
        </Field>
      ) : null}
    </fieldset>
  );
}

function CronFields({ draft, onChange, error }: TimingFieldsProps) {
  const { schedules: texts } = useTexts();
  const id = useId();
  const problem = cronProblem(texts.cronProblems, draft.cron);
  return (
    <>
      <Field label={texts.cron} hint={texts.cronHint} error={problem ?? fieldError(error, "/cron")}>
        {(attributes) => (
          <input
            {...attributes}
            ref={(input) => input?.setCustomValidity(problem ?? "")}
            dir="ltr"
            required
            spellCheck={false}
            value={draft.cron}
            onChange={({ target }) => onChange({ cron: target.value })}
          />
        )}
      </Field>
      <p className="soft" aria-live="polite">
        {problem === null ? <CronWords cron={draft.cron} /> : null}
      </p>
      <Field label={texts.timezone} error={fieldError(error, "/timezone")}>
        {(attributes) => (
          <>
            <input
              {...attributes}
              required
              list={`${id}-zones`}
              value={draft.timezone}
              onChange={({ target }) => onChange({ timezone: target.value })}
            />
            <datalist id={`${id}-zones`}>
              {Intl.supportedValuesOf("timeZone").map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </>
        )}
      </Field>
    </>
  );
}

/** What is wrong with an expression; null for nothing. */
function cronProblem(texts: Messages["schedules"]["cronProblems"], cron: string): string | null {
  const found = findCronProblem(cron);
  if (found === null) return null;
  if (found.kind === "count") return texts.count(found.given);
  return texts.value(found.value, texts.fields[found.field], found.first, found.last);
}
