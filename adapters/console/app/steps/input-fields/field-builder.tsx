/** The builder of input fields: a list with moving, and for each field all its settings. */

import { useState } from "react";
import { pointerPart } from "../../../../../src/encoding/json-pointer.ts";
import type { InputDefinition } from "../../../../../src/workflows/input/input-field.ts";
import { Menu } from "../../elements/controls/menu.tsx";
import type { FieldProblem } from "../../elements/fields/field-note.tsx";
import { Icon } from "../../elements/icons.tsx";
import { useTexts } from "../../texts/language.ts";
import { useRowKeys } from "../controls/row-keys.ts";
import { Row, RowTools } from "../controls/row-tools.tsx";
import { ProblemSign } from "../sections/section.tsx";
import { freeName, moved, removed } from "../step-change.ts";
import { type FieldBuilderProps, NestedFields } from "./field-props.ts";
import { FieldSettings } from "./field-settings.tsx";
import {
  FIELD_TYPES,
  type FieldType,
  inFormOrder,
  type NamedField,
  newField,
  ordered,
  renamedField,
} from "./field-types.ts";

export function FieldBuilder({ label, definition, onChange, at, problemAt, readAs }: FieldBuilderProps) {
  const { inputFields: fieldTexts } = useTexts();
  const fields = inFormOrder(definition);
  const [open, setOpen] = useState<string | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const rows = useRowKeys();

  function add(type: FieldType): void {
    const name = freeName(fieldTexts.newField, Object.keys(definition));
    onChange({ ...definition, [name]: newField(type) });
    setOpen(name);
    setAdded(name);
  }

  return (
    <NestedFields value={FieldBuilder}>
      <div className="rows field-builder">
        <h3>{label}</h3>
        {fields.length === 0 ? <p className="hint">{fieldTexts.noFields}</p> : null}
        {fields.map((named, index) => (
          <FieldRow
            key={rows.keyOf(named[0])}
            named={named}
            index={index}
            count={fields.length}
            definition={definition}
            isOpen={open === named[0]}
            isNew={added === named[0]}
            onToggle={(isOpen) => setOpen(isOpen ? named[0] : null)}
            onMove={(by) => onChange(ordered(moved(fields, index, by)))}
            onRemove={() => onChange(Object.fromEntries(removed(fields, index)))}
            onChange={(next, name) => {
              if (name !== undefined) {
                rows.rename(named[0], name);
                setOpen(name);
              }
              onChange(next);
            }}
            at={`${at}/${pointerPart(named[0])}`}
            problemAt={problemAt}
            readAs={readAs}
          />
        ))}
        <p className="field-actions">
          <Menu
            kind="plain"
            label={fieldTexts.addField}
            face={
              <>
                <Icon name="plus" /> {fieldTexts.addField}
              </>
            }
            items={FIELD_TYPES.map((type) => ({ label: fieldTexts.fieldTypes[type], onChoose: () => add(type) }))}
          />
        </p>
      </div>
    </NestedFields>
  );
}

interface FieldRowProps {
  readonly named: NamedField;
  readonly index: number;
  readonly count: number;
  readonly definition: InputDefinition;
  readonly isOpen: boolean;
  /** Whether it was added here: its name is chosen, to be typed over. */
  readonly isNew: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
  /** @param name The new name of the field, if it was renamed. */
  readonly onChange: (definition: InputDefinition, name?: string) => void;
  readonly at: string;
  readonly problemAt: (pointer: string) => FieldProblem | null;
  readonly readAs: string;
}

function FieldRow(props: FieldRowProps) {
  const { named, index, count, definition, isOpen, onToggle, onMove, onRemove, onChange, at, problemAt } = props;
  const [name, field] = named;
  const { inputFields: fieldTexts } = useTexts();
  const problem = problemAt(at);
  const facts = [
    // Without a label, the name is the title.
    field.name === undefined ? "" : name,
    fieldTexts.fieldTypes[field.type],
    ...(field.array === true ? [fieldTexts.several] : []),
    ...(field.optional === true ? [fieldTexts.isOptionalShort] : []),
  ];
  return (
    <Row name={fieldTexts.fieldNamed(name)} onMove={onMove}>
      <div className="row-head">
        <details
          className="field-summary"
          open={isOpen}
          onToggle={({ currentTarget }) => {
            if (currentTarget.open !== isOpen) onToggle(currentTarget.open);
          }}
        >
          <summary>
            <strong>{field.name ?? name}</strong>
            <span className="hint"> {facts.join(" · ").trim()}</span>
            <ProblemSign problem={problem} />
          </summary>
        </details>
        <RowTools name={name} isFirst={index === 0} isLast={index === count - 1} onMove={onMove} onRemove={onRemove} />
      </div>
      {isOpen || problem !== null ? (
        <FieldSettings
          name={name}
          field={field}
          at={at}
          problemAt={problemAt}
          isNew={props.isNew}
          owner={props.readAs}
          onRename={(to) => onChange(renamedField(definition, name, to), to)}
          isTaken={(to) => to !== name && Object.hasOwn(definition, to)}
          onChange={(next) => onChange({ ...definition, [name]: next })}
        />
      ) : null}
    </Row>
  );
}
