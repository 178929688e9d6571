/** A table whose rows lead somewhere. On narrow screens, each row becomes a card with the names of its columns. */
import type { ReactNode } from "react";
import "./table.css";

export interface Column<Item> {
  readonly name: string;
  readonly label: ReactNode;
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
}

export function Table<Item>({ label, columns, items, keyOf }: TableProps<Item>) {
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
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column) => (
                <Cell key={column.name} column={column} item={item} />
              ))}
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
  const label = typeof column.label === "string" ? column.label : undefined;
  if (column.isHeader === true)
    return (
      <th scope="row" className={classOf(column)} data-label={label}>
        <div>{column.cell(item)}</div>
      </th>
    );
  return (
    <td className={classOf(column)} data-label={label}>
      <div>{column.cell(item)}</div>
    </td>
  );
}
