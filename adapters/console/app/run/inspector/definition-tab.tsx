/** What the step does: its definition in the version that the run executes, with the line that failed. */
import type { JsonValue } from "../../../../../src/json.ts";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import type { Step } from "../../../../../src/workflows/step.ts";
import { CopyButton } from "../../elements/controls/copy-button.tsx";
import { JsonView } from "../../elements/values/json-view.tsx";
import { visibleText } from "../../elements/values/visible-text.ts";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";
import { CodeLines } from "./code-lines.tsx";
import { failedLine, fieldPath, useShownError } from "./shown-error.ts";
import { useMark } from "./use-mark.ts";

/** Longer texts stand in lines with numbers. */
const MAX_SHORT = 200;
/** The key is the heading, and the canvas shows where the step stands. */
const ELSEWHERE: ReadonlySet<string> = new Set(["key", "position", "size", "display"]);

export function DefinitionTab({ step, definition }: { readonly step: RunStep; readonly definition: Step }) {
  const { run: texts } = useTexts();
  const { live } = useShownRun();
  const { error } = useShownError(step);
  const line = error === null ? null : failedLine(error);
  const failed = error?.field === undefined ? null : fieldPath(error.field)[0];
  const mark = useMark<HTMLDivElement>();
  return (
    <div className="definition-tab">
      {live.run.version === 0 ? <p className="hint">{texts.draftNow}</p> : null}
      <dl>
        {settingsOf(definition).map(([name, value]) => (
          <div
            key={name}
            ref={name === failed ? mark : undefined}
            className={name === failed ? "failed" : ""}
            tabIndex={name === failed ? -1 : undefined}
          >
            <dt>
              {name === failed ? <span className="visually-hidden">{texts.failedLine}</span> : null}
              <code>{name}</code>
              {name === "code" && typeof value === "string" ? (
                <CopyButton text={value} label={texts.copyValue} />
              ) : null}
            </dt>
            <dd>
              <Setting value={value} failed={name === "code" ? line : null} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const settingsOf = (step: Step): readonly (readonly [string, JsonValue])[] =>
  Object.entries(step as object as Readonly<Record<string, JsonValue>>) // a step is JSON
    .filter(([name]) => !ELSEWHERE.has(name));

function Setting({ value, failed }: { readonly value: JsonValue; readonly failed: number | null }) {
  if (typeof value === "object" && value !== null) return <JsonView value={value} />;
  if (typeof value === "string" && (failed !== null || value.length > MAX_SHORT || value.includes("\n")))
    return <CodeLines key={failed} text={value} failed={failed} />;
  return (
    <code dir="ltr" className="setting">
      {visibleText(String(value))}
    </code>
  );
}
