/** Headers of a request: rows of names and values, or the text of them. */

import { useEffect, useState } from "react";
import { pointerPart } from "../../../../../src/encoding/json-pointer.ts";
import { Button } from "../../elements/controls/button.tsx";
import { FieldNote, type FieldProblem } from "../../elements/fields/field-note.tsx";
import { ExpressionEditor } from "../../expressions/expression-editor.tsx";
import { LabelledField } from "../../expressions/labelled-field.tsx";
import { useTexts } from "../../texts/language.ts";
import { AddRow } from "../controls/add-row.tsx";
import { Row, RowTools } from "../controls/row-tools.tsx";
import { removed, replaced } from "../step-change.ts";
import { type Headers, headerLines, headerText } from "./request-body.ts";

interface HeaderFieldsProps {
  readonly headers: Headers;
  readonly onChange: (headers: Headers) => void;
  readonly problemAt: (pointer: string) => FieldProblem | null;
}

export function HeaderFields({ headers, onChange, problemAt }: HeaderFieldsProps) {
  const { steps: texts } = useTexts();
  const isText = typeof headers === "string";
  const lines = isText ? headerLines(headers) : null;
  // Two rows of one name are possible only in a text.
  const canBeRows = !isText || (lines !== null && new Set(lines.map(([name]) => name)).size === lines.length);
  return (
    <div className="rows">
      <div className="row-head">
        <h3>{texts.headers}</h3>
        <Button
          kind="quiet"
          disabled={!canBeRows}
          onClick={() => onChange(isText ? Object.fromEntries(lines ?? []) : headerText(headers ?? {}))}
        >
          {isText ? texts.asRows : texts.asText}
        </Button>
      </div>
      {isText ? (
        <LabelledField label={texts.headerText} hint={texts.headerTextHint} error={problemAt("/headers")}>
          {({ description }) => (
            <ExpressionEditor
              label={texts.headerText}
              description={description}
              syntax="template"
              isSingleLine={false}
              hasAuto={true}
              value={headers}
              error={problemAt("/headers")}
              onChange={(text) => onChange(text)}
            />
          )}
        </LabelledField>
      ) : (
        <HeaderRows headers={headers ?? {}} onChange={onChange} problemAt={problemAt} />
      )}
    </div>
  );
}

interface HeaderRowsProps {
  readonly headers: Readonly<Record<string, string>>;
  readonly onChange: (headers: Headers) => void;
  readonly problemAt: (pointer: string) => FieldProblem | null;
}

type Pair = readonly [string, string];

/** Rows without a name, and of a name that stands twice, are not sent yet. */
function objectOf(rows: readonly Pair[]): Record<string, string> | undefined {
  const named = rows.filter(([name]) => name.trim() !== "");
  return named.length === 0 ? undefined : Object.fromEntries(named.map(([name, value]) => [name.trim(), value]));
}

const isSame = (rows: readonly Pair[], headers: object) =>
  JSON.stringify(objectOf(rows) ?? {}) === JSON.stringify(headers);

function HeaderRows({ headers, onChange, problemAt }: HeaderRowsProps) {
  const { steps: texts } = useTexts();
  const [rows, setRows] = useState<readonly Pair[]>(() => Object.entries(headers));
  useEffect(() => {
    setRows((shown) => (isSame(shown, headers) ? shown : Object.entries(headers)));
  }, [headers]);

  function change(next: readonly Pair[]): void {
    setRows(next);
    if (!isSame(next, headers)) onChange(objectOf(next));
  }

  return (
    <>
      {rows.map(([name, value], index) => {
        const isDouble = rows.some(([other], at) => at !== index && other !== "" && other.trim() === name.trim());
        const label = name === "" ? texts.headerNumber(index + 1) : name;
        return (
          <Row key={index} name={label}>
            <div className="row-head">
              <input
                aria-label={texts.headerName(index + 1)}
                aria-invalid={isDouble}
                title={isDouble ? texts.nameTaken : undefined}
                placeholder="Accept"
                value={name}
                spellCheck={false}
                onChange={({ target }) => change(replaced(rows, index, [target.value, value]))}
              />
              <RowTools name={label} isFirst={true} isLast={true} onRemove={() => change(removed(rows, index))} />
            </div>
            <ExpressionEditor
              label={texts.headerValue(label)}
              syntax="template"
              hasAuto={true}
              value={value}
              error={problemAt(`/headers/${pointerPart(name)}`)}
              onChange={(next) => change(replaced(rows, index, [name, next]))}
            />
          </Row>
        );
      })}
      <FieldNote problem={problemAt("/headers")} />
      <AddRow onAdd={() => setRows([...rows, ["", ""]])}>{texts.addHeader}</AddRow>
    </>
  );
}
