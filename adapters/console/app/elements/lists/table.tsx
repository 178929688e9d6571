/** A table whose rows lead somewhere. On narrow screens, each row becomes a card with the names of its columns. */
import type { ReactNode } from "react";
import { useTexts } from "../../texts/language.ts";
import "./table.css";

export interface Column<Item> {
  readonly name: string;
  readonly label: string;
  readonly cell: (item: Item) => ReactNode;
  /** Whether the cell names its row. Exactly one column does. */
  readonly isHeader?: boolean;
  readonly align?: "start" | "end";
  /** Whether it is left out where a table is narrow, but not yet cards. @default false */
  readonly isRare?: boolean;
}

interface TableProps<Item> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Item>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** What can be done with an item, in a last column. @default no such column */
  readonly actions?: (item: Item) => ReactNode;
}

export function Table<Item>({ label, columns, items, keyOf, actions }: TableProps<Item>) {
  const { general } = useTexts();
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={classOf(column)}>
                {column.label}
              </th>
            ))}
            {actions === undefined ? null : (
              <th scope="col" className="end">
                <span className="visually-hidden">{general.more}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column) => (
                <Cell key={column.name} column={column} item={item} />
              ))}
              {actions === undefined ? null : (
                <td className="end">
                  <div>{actions(item)}</div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Item>({ align, isRare = false }: Column<Item>): string | undefined {
  if (!isRare) return align;
  return align === undefined ? "rare" : `${align} rare`;
}

function Cell<Item>({ column, item }: { readonly column: Column<Item>; readonly item: Item }) {
  if (column.isHeader === true)
    return (
      <th scope="row" className={classOf(column)} data-label={column.label}>
        <div>{column.cell(item)}</div>
      </th>
    );
  return (
    <td className={classOf(column)} data-label={column.label}>
      <div>{column.cell(item)}</div>
    </td>
  );
}
