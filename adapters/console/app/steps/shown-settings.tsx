/** The settings of a step, only to be read, with the one that failed. */
import type { JsonValue } from "../../../../src/json.ts";
import type { Step } from "../../../../src/workflows/step.ts";
import { CopyButton } from "../elements/controls/copy-button.tsx";
import { CodeLines } from "../elements/values/code-lines.tsx";
import { JsonView } from "../elements/values/json-view.tsx";
import { useMark } from "../elements/values/use-mark.ts";
import { visibleText } from "../elements/values/visible-text.ts";
import { useTexts } from "../texts/language.ts";
import "./shown-settings.css";

/** Longer texts stand in lines with numbers. */
const MAX_SHORT = 200;
/** The key is the heading, and the canvas shows where the step stands. */
const ELSEWHERE: ReadonlySet<string> = new Set(["key", "position", "size", "display"]);

interface ShownSettingsProps {
  readonly step: Step;
  /** Name of the setting that failed. @default null: none */
  readonly failed?: string | null | undefined;
  /** Line of the code that failed, from 1. @default null: none */
  readonly line?: number | null;
}

export function ShownSettings({ step, failed = null, line = null }: ShownSettingsProps) {
  const { run: texts } = useTexts();
  const mark = useMark<HTMLDivElement>();
  return (
    <dl className="shown-settings">
      {settingsOf(step).map(([name, value]) => (
        <div
          key={name}
          ref={name === failed ? mark : undefined}
          className={name === failed ? "failed" : ""}
          tabIndex={name === failed ? -1 : undefined}
        >
          <dt>
            {name === failed ? <span className="visually-hidden">{texts.failedLine}</span> : null}
            <code>{name}</code>
            {name === "code" && typeof value === "string" ? <CopyButton text={value} label={texts.copyValue} /> : null}
          </dt>
          <dd>
            <Setting value={value} failed={name === "code" ? line : null} />
          </dd>
        </div>
      ))}
    </dl>
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
