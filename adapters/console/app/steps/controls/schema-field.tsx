/** A JSON Schema: as rows of fields where that is possible, and as JSON always. */

import { useState } from "react";
import { isRecord, type JsonObject, type JsonValue } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { FieldNote, type FieldProblem } from "../../elements/fields/field-note.tsx";
import { useTexts } from "../../texts/language.ts";
import { freeName, removed, replaced } from "../step-change.ts";
import { AddRow } from "./add-row.tsx";
import { FIELD_TYPES, rowsOf, type SchemaRow, withRows } from "./flat-schema.ts";
import { JsonField } from "./json-field.tsx";
import { Choice, SwitchField } from "./plain-fields.tsx";
import { Row, RowTools } from "./row-tools.tsx";

interface SchemaFieldProps {
  readonly label: string;
  readonly schema: JsonObject | undefined;
  readonly onChange: (schema: JsonValue | undefined) => void;
  readonly error: FieldProblem | null;
}

export function SchemaField({ label, schema, onChange, error }: SchemaFieldProps) {
  const { steps: texts } = useTexts();
  const [isJson, setJson] = useState(false);
  const rows = isRecord(schema) ? rowsOf(schema) : null;
  const canBeRows = schema !== undefined && rows !== null;
  return (
    <div className="rows">
      <div className="row-head">
        <h3>{label}</h3>
        {canBeRows ? (
          <Button kind="quiet" onClick={() => setJson(!isJson)}>
            {isJson ? texts.asForm : texts.asJson}
          </Button>
        ) : null}
      </div>
      {canBeRows && !isJson ? (
        <SchemaRows schema={schema} rows={rows} onChange={onChange} error={error} />
      ) : (
        <JsonField label={label} type="object" value={schema} error={error} onChange={onChange} />
      )}
    </div>
  );
}

interface SchemaRowsProps {
  readonly schema: JsonObject;
  readonly rows: readonly SchemaRow[];
  readonly onChange: (schema: JsonObject) => void;
  readonly error: FieldProblem | null;
}

function SchemaRows({ schema, rows, onChange, error }: SchemaRowsProps) {
  const { general, inputFields: fieldTexts } = useTexts();
  const change = (next: readonly SchemaRow[]) => onChange(withRows(schema, next));
  const names = rows.map(({ name }) => name);
  return (
    <>
      {rows.map((row, index) => {
        const set = (changes: Partial<SchemaRow>) => change(replaced(rows, index, { ...row, ...changes }));
        const place = index + 1;
        return (
          <Row key={index} name={row.name}>
            <div className="row-head">
              <input
                aria-label={fieldTexts.fieldNumber(place)}
                value={row.name}
                onChange={({ target }) => {
                  if (!names.includes(target.value)) set({ name: target.value });
                }}
              />
              <Choice
                label={fieldTexts.typeOf(row.name)}
                value={row.type}
                options={FIELD_TYPES.map((value) => ({ value, label: value }))}
                onChange={(type) => set({ type: FIELD_TYPES.find((one) => one === type) ?? row.type })}
              />
              <RowTools name={row.name} isFirst={true} isLast={true} onRemove={() => change(removed(rows, index))} />
            </div>
            <input
              aria-label={fieldTexts.descriptionOf(row.name)}
              placeholder={general.description}
              value={row.description}
              onChange={({ target }) => set({ description: target.value })}
            />
            <SwitchField
              label={fieldTexts.isRequired}
              isOn={row.isRequired}
              onChange={(isRequired) => set({ isRequired })}
            />
          </Row>
        );
      })}
      <FieldNote problem={error} />
      <AddRow
        onAdd={() =>
          change([
            ...rows,
            { name: freeName("field", names), type: "string", description: "", isRequired: true, rest: {} },
          ])
        }
      >
        {fieldTexts.addField}
      </AddRow>
    </>
  );
}
