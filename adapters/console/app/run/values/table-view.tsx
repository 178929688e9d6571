/** A list of objects as a table. Only the rows that were asked for are in the page. */
import { useState } from "react";
import { isRecord, type JsonValue, ownField } from "../../../../../src/json.ts";
import { Button } from "../../elements/controls/button.tsx";
import { jsonStart } from "../../elements/values/json-start.ts";
import { visibleJson, visibleText } from "../../elements/values/visible-text.ts";
import { useTexts } from "../../texts/language.ts";
import { columnsOf } from "./shapes.ts";

const ROWS = 100;
const MAX_CELL = 200;

export function TableView({ value }: { readonly value: JsonValue }) {
  const { run: texts, general } = useTexts();
  const [count, setCount] = useState(ROWS);
  const rows: readonly JsonValue[] = Array.isArray(value) ? value : [];
  const columns = columnsOf(rows);
  return (
    <>
      <div className="value-table" role="region" tabIndex={0} aria-label={texts.shapes.table}>
        <table>
          <thead>
            <tr>
              <th scope="col">#</th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  <bdi>{visibleText(name)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map((row, index) => (
              <tr key={index}>
                <th scope="row">{index}</th>
                {columns.map((name) => (
                  <td key={name}>
                    <bdi>{cellText(isRecord(row) ? ownField(row, name) : undefined)}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > count ? (
        <p className="cut-note">
          {texts.rows(count, rows.length)}{" "}
          <Button kind="quiet" onClick={() => setCount(count + ROWS)}>
            {general.loadMore}
          </Button>
        </p>
      ) : null}
    </>
  );
}

function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value.slice(0, MAX_CELL + 1) : jsonLine(value);
  const shown = text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
  return typeof value === "string" ? visibleText(shown) : visibleJson(shown);
}

/** The start of a value as JSON in one line. */
const jsonLine = (value: JsonValue): string => {
  const start = jsonStart(value, MAX_CELL * 4);
  return start.length < MAX_CELL * 4 ? JSON.stringify(value) : start.replace(/\n */g, "");
};
