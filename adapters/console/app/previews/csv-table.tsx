/** The start of CSV as a table. What its cells contain comes from anyone: it is shown as text, and what is invisible in it as signs. */
import { nameOr, visibleText } from "../elements/values/visible-text.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";
import { type CsvStart, MAX_COLUMNS } from "./csv-start.ts";
import "./csv-table.css";

/** Characters of a cell that are shown. */
const MAX_CELL = 200;

interface CsvTableProps {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly start: CsvStart;
}

export function CsvTable({ label, start: { header, rows, hasMoreRows, columns } }: CsvTableProps) {
  const { files: texts, records } = useTexts();
  const format = useFormat();
  const places = Array.from({ length: Math.min(columns, MAX_COLUMNS) }, (_, index) => index);
  return (
    <>
      <div className="csv-table" role="region" tabIndex={0} aria-label={label}>
        <table>
          <thead>
            <tr>
              <th scope="col">#</th>
              {places.map((place) => (
                <th key={place} scope="col">
                  <bdi>{nameOr(cellText(header[place]), records.importColumn(place + 1))}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, index) => (
              <tr key={index}>
                <th scope="row">{format.number(index + 1)}</th>
                {places.map((place) => (
                  <td key={place}>
                    <bdi>{cellText(cells[place])}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hasMoreRows ? <p className="soft">{texts.firstRows(rows.length)}</p> : null}
      {columns > MAX_COLUMNS ? (
        <p className="soft">{texts.firstColumns(format.number(MAX_COLUMNS), format.number(columns))}</p>
      ) : null}
    </>
  );
}

const cellText = (cell = ""): string => visibleText(cell.length > MAX_CELL ? `${cell.slice(0, MAX_CELL)}…` : cell);
