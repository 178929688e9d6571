/** A row of a list: its control, its place in the order, and its end. */
import { useCallback } from "react";
import { isEmptyRow, type ListRow } from "../../../../../src/forms/model/entry.ts";
import type { Shape } from "../../../../../src/forms/model/form-model.ts";
import { IconButton } from "../../elements/controls/button.tsx";
import { FieldNote } from "../../elements/fields/field-note.tsx";
import { useTexts } from "../../texts/language.ts";
import { type Change, isGroup } from "../control-props.ts";
import { controlId, useErrorAt, useForm } from "../form-context.ts";

interface RowViewProps {
  readonly item: Shape;
  readonly row: ListRow;
  /** Of the list. */
  readonly change: Change;
  readonly place: string;
  readonly label: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** The button that removes a row is gone with it: something else must take the focus. */
  readonly onRemoved: () => void;
}

export function RowView({ item, row, change, place, label, isFirst, isLast, onRemoved }: RowViewProps) {
  const { formId, Control } = useForm();
  const { forms } = useTexts();
  const changeRow = useCallback<Change>(
    (update) =>
      change((list) => {
        if (list.kind !== "list") return list;
        const rows = list.rows.map((one) => (one.id === row.id ? { ...one, entry: update(one.entry) } : one));
        return { ...list, rows };
      }),
    [change, row.id],
  );
  const move = (by: number) =>
    change((list) => (list.kind === "list" ? { ...list, rows: moved(list.rows, row.id, by) } : list));
  const remove = () => {
    change((list) => (list.kind === "list" ? { ...list, rows: list.rows.filter(({ id }) => id !== row.id) } : list));
    onRemoved();
  };
  const id = controlId(formId, place);
  const error = useErrorAt(place, row.entry);
  const attributes = {
    id,
    "aria-describedby": error === null ? undefined : `${id}-error`,
    "aria-invalid": error !== null,
  };
  const isCard = item.kind === "object";
  return (
    <div className={isCard ? "card" : "row"} data-place={place}>
      <div className="row-head">
        {isGroup(item, row.entry) ? (
          <div id={`${id}-label`} className={isCard ? "label" : "visually-hidden"}>
            {label}
          </div>
        ) : (
          <label id={`${id}-label`} htmlFor={id} className="visually-hidden">
            {label}
          </label>
        )}
        <div className="row-actions">
          <IconButton icon="arrowUp" label={forms.moveUp(label)} aria-disabled={isFirst} onClick={() => move(-1)} />
          <IconButton icon="arrowDown" label={forms.moveDown(label)} aria-disabled={isLast} onClick={() => move(1)} />
          <IconButton icon="trash" label={forms.removeRow(label)} onClick={remove} />
        </div>
      </div>
      <div className="row-control">
        <Control
          shape={item}
          entry={row.entry}
          change={changeRow}
          place={place}
          label={label}
          isRequired={!isEmptyRow(row.entry)}
          placeholder={null}
          attributes={attributes}
          field={null}
        />
        <FieldNote id={`${id}-error`} problem={error} />
      </div>
    </div>
  );
}

function moved(rows: readonly ListRow[], id: number, by: number): readonly ListRow[] {
  const from = rows.findIndex((row) => row.id === id);
  const row = rows[from];
  const to = from + by;
  return row === undefined || to < 0 || to >= rows.length ? rows : rows.toSpliced(from, 1).toSpliced(to, 0, row);
}
