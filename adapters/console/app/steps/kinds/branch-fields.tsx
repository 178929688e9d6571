/** The conditions of a branch in their order, what each leads to, and which one the chosen run would take. */

import { useMemo, useState } from "react";
import { pointerPart } from "../../../../../src/encoding/json-pointer.ts";
import type { BranchStep } from "../../../../../src/workflows/step.ts";
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { Icon } from "../../elements/icons.tsx";
import { ExpressionEditor } from "../../expressions/expression-editor.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useKnownEvaluations, useOwnPlace, useSurroundings } from "../../expressions/surroundings-context.ts";
import { wantedText } from "../../expressions/wanted-expressions.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { AddRow } from "../controls/add-row.tsx";
import { StepKeysField } from "../controls/list-fields.tsx";
import { useRowKeys } from "../controls/row-keys.ts";
import { Row, RowTools } from "../controls/row-tools.tsx";
import type { KindProps } from "../kind-props.ts";
import { freeName, withField } from "../step-change.ts";
import { type Condition, inOrder, movedCondition, renamedCondition, takenCondition } from "./branch-conditions.ts";

export function BranchFields({ step, onChange, problemAt }: KindProps<BranchStep>) {
  const { steps: texts } = useTexts();
  const ordered = inOrder(step.conditions);
  const names = ordered.map(([name]) => name);
  const taken = useTaken(step);
  const rows = useRowKeys();
  const format = useFormat();
  const { run } = useSurroundings();
  const change = (conditions: BranchStep["conditions"]) => onChange({ ...step, conditions });

  function add(): void {
    const name = freeName(texts.newCondition, names);
    const order = Math.max(0, ...ordered.map(([, one]) => one.order)) + 1;
    change({ ...step.conditions, [name]: { destinations: [], order } });
  }

  return (
    <div className="rows">
      {ordered.map(([name, condition], index) => (
        <ConditionRow
          key={rows.keyOf(name)}
          name={name}
          condition={condition}
          place={index}
          names={names}
          isTaken={taken === name}
          problemAt={problemAt}
          onChange={(next) => change({ ...step.conditions, [name]: next })}
          onRename={(to) => {
            rows.rename(name, to);
            change(renamedCondition(step.conditions, name, to));
          }}
          onMove={(by) => change(movedCondition(step.conditions, name, by))}
          onRemove={() => change(Object.fromEntries(Object.entries(step.conditions).filter(([one]) => one !== name)))}
        />
      ))}
      <AddRow onAdd={add}>{texts.addCondition}</AddRow>
      <StepKeysField
        way={{ kind: "else" }}
        label={texts.otherwise}
        hint={taken === null && run !== null ? texts.takenInRun(format.short(run.created_at)) : texts.otherwiseHint}
        keys={step.else ?? []}
        error={problemAt("/else")}
        onChange={(keys) => onChange(withField(step, "else", keys.length === 0 ? undefined : keys))}
      />
    </div>
  );
}

/** The name of the condition; null for none; undefined if that is not known. */
function useTaken(step: BranchStep): string | null | undefined {
  const { results } = useKnownEvaluations();
  const place = useOwnPlace();
  return useMemo(() => {
    // The editors of the conditions ask for their results.
    return takenCondition(step.conditions, (text) => {
      const value = results.get(wantedText(text, "expression", place) ?? "")?.value;
      return typeof value === "boolean" ? value : undefined;
    });
  }, [results, place, step]);
}

interface ConditionRowProps {
  readonly name: string;
  readonly condition: Condition;
  readonly place: number;
  readonly names: readonly string[];
  readonly isTaken: boolean;
  readonly problemAt: (pointer: string) => FieldProblem | null;
  readonly onChange: (condition: Condition) => void;
  readonly onRename: (name: string) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

function ConditionRow(props: ConditionRowProps) {
  const { name, condition, place, names, isTaken, problemAt, onChange, onMove } = props;
  const { steps: texts } = useTexts();
  const format = useFormat();
  const { run } = useSurroundings();
  const at = `/conditions/${pointerPart(name)}`;
  return (
    <Row name={texts.conditionNamed(name)} onMove={onMove}>
      <div className="row-head">
        <NameField name={name} place={place} taken={names} onRename={props.onRename} />
        <RowTools
          name={name}
          isFirst={place === 0}
          isLast={place === names.length - 1}
          onMove={onMove}
          onRemove={props.onRemove}
        />
      </div>
      {isTaken && run !== null ? (
        <p className="taken">
          <Icon name="check" /> {texts.takenInRun(format.short(run.created_at))}
        </p>
      ) : null}
      <LabelledField label={texts.ifTrue} hint={texts.ifTrueHint} error={problemAt(`${at}/condition`)}>
        {() => (
          <ExpressionEditor
            label={`${texts.conditionNamed(name)}: ${texts.ifTrue}`}
            description={texts.ifTrueHint}
            syntax="expression"
            value={condition.condition ?? ""}
            error={problemAt(`${at}/condition`)}
            placeholder="input.amount > 1000"
            onChange={(value) => onChange(withField(condition, "condition", value === "" ? undefined : value))}
          />
        )}
      </LabelledField>
      <StepKeysField
        way={{ kind: "condition", name }}
        label={texts.goesTo}
        keys={condition.destinations}
        error={problemAt(`${at}/destinations`)}
        onChange={(destinations) => onChange({ ...condition, destinations })}
      />
    </Row>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly place: number;
  readonly taken: readonly string[];
  readonly onRename: (name: string) => void;
}

/** Renames when the field is left: until then, a name may be one that is taken. */
function NameField({ name, place, taken, onRename }: NameFieldProps) {
  const { steps: texts } = useTexts();
  const [text, setText] = useState(name);
  const isWrong = text !== name && (text === "" || taken.includes(text));
  return (
    <span className="name-field">
      <span aria-hidden="true">{place + 1}</span>
      <input
        data-condition={name}
        aria-label={texts.conditionName(place + 1)}
        aria-invalid={isWrong}
        title={isWrong ? `${texts.nameTaken} ${texts.keptName(name)}` : undefined}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => {
          if (!isWrong && text !== name) onRename(text);
        }}
      />
    </span>
  );
}
