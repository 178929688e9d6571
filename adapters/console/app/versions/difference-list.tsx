/** What differs between two definitions, by step and by field. */
import { useMemo } from "react";
import type { Definition } from "../../../../src/workflows/version.ts";
import { Icon } from "../elements/icons.tsx";
import { useTexts } from "../texts/language.ts";
import { changesBetween, type FieldChange, hasChanges, type StepChange } from "./changes.ts";
import { Lines } from "./lines.tsx";
import { readableJson } from "./readable-json.ts";
import { type Line, lineDifference } from "./text-lines.ts";
import "./difference-list.css";

interface DifferenceListProps {
  readonly before: Definition;
  readonly after: Definition;
}

export function DifferenceList({ before, after }: DifferenceListProps) {
  const { versions: texts } = useTexts();
  const changes = useMemo(() => changesBetween(before, after), [before, after]);
  const count = (...kinds: StepChange["kind"][]) => changes.steps.filter(({ kind }) => kinds.includes(kind)).length;
  return (
    <div className="difference-list">
      {hasChanges(changes) ? (
        <p>{texts.summary(count("added"), count("removed"), count("changed", "renamed") + changes.parts.length)}</p>
      ) : (
        <p>{texts.same}</p>
      )}
      {changes.moved > 0 ? <p>{texts.moved(changes.moved)}</p> : null}
      {changes.parts.map(({ part, fields }) => (
        <section key={part} className="difference changed">
          <h3>{texts.part[part]}</h3>
          <Fields fields={fields} />
        </section>
      ))}
      {changes.steps.map((change) => (
        <StepDifference key={`${change.kind} ${change.key}`} change={change} />
      ))}
      {changes.layout > 0 ? <p className="soft">{texts.layoutHidden(changes.layout)}</p> : null}
      {changes.isTruncated ? <p>{texts.truncated}</p> : null}
    </div>
  );
}

function StepDifference({ change }: { readonly change: StepChange }) {
  const { versions: texts } = useTexts();
  const { kind, key, from, step, fields } = change;
  const words = {
    added: texts.stepAdded,
    removed: texts.stepRemoved,
    changed: texts.stepChanged,
    renamed: texts.stepRenamed(from ?? ""),
  };
  return (
    <section className={`difference ${kind}`}>
      <h3>
        <Icon name={step.type} /> <bdi>{key}</bdi> <span className="kind">{words[kind]}</span>
      </h3>
      {kind === "changed" || kind === "renamed" ? (
        <Fields fields={fields} />
      ) : (
        <Lines
          lines={readableJson(step)
            .split("\n")
            .map((text): Line => ({ kind, text }))}
        />
      )}
    </section>
  );
}

function Fields({ fields }: { readonly fields: readonly FieldChange[] }) {
  return (
    <dl>
      {fields.map((field) => (
        <div key={field.field}>
          <dt>
            <code>{field.field}</code>
          </dt>
          <dd>
            <FieldDifference {...field} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FieldDifference({ before, after }: FieldChange) {
  const { versions: texts } = useTexts();
  const isText = (value: unknown) => value === undefined || readableJson(value).includes("\n");
  if (before !== undefined && after !== undefined && (isText(before) || isText(after)))
    return <Lines lines={lineDifference(readableJson(before), readableJson(after))} />;
  return (
    <div className="before-after">
      <del>
        <span className="visually-hidden">{texts.before}: </span>
        {before === undefined ? <em>{texts.nothing}</em> : <code>{readableJson(before)}</code>}
      </del>
      <ins>
        <span className="visually-hidden">{texts.after}: </span>
        {after === undefined ? <em>{texts.nothing}</em> : <code>{readableJson(after)}</code>}
      </ins>
    </div>
  );
}
