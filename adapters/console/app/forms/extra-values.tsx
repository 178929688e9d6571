/** Values of names that an object accepts besides its fields. */
import { useEffect, useRef } from "react";
import { type Entry, type ExtraEntry, nextId, type ObjectEntry } from "../../../../src/forms/model/entry.ts";
import { blankEntry } from "../../../../src/forms/model/fill-entry.ts";
import type { ObjectShape, Shape } from "../../../../src/forms/model/form-model.ts";
import { Button, IconButton } from "../elements/controls/button.tsx";
import { FieldNote } from "../elements/fields/field-note.tsx";
import { useTexts } from "../texts/language.ts";
import { type Change, isGroup } from "./control-props.ts";
import { controlId, placeIn, useErrorAt, useForm } from "./form-context.ts";
import { useShownRows } from "./lists/use-shown-rows.tsx";

interface ExtraValuesProps {
  /** Whether a heading sets them apart from fields. */
  readonly hasHeading: boolean;
  readonly shape: ObjectShape;
  readonly entry: ObjectEntry;
  readonly change: Change;
  readonly place: string;
}

export function ExtraValues({ hasHeading, shape, entry, change, place }: ExtraValuesProps) {
  const { forms } = useTexts();
  const { formId, notation } = useForm();
  const { extra } = entry;
  const { additional } = shape;
  const names = Array.isArray(additional) ? additional : null;
  const isFull = additional === false || (names !== null && extra.length >= names.length);
  const id = `${controlId(formId, place)}-others`;
  /** The label of the value that has these, if it is one of several. */
  const owner = `${controlId(formId, place)}-label`;
  const setExtra = (update: (before: readonly ExtraEntry[]) => readonly ExtraEntry[]) =>
    change((before) => (before.kind === "object" ? { ...before, extra: update(before.extra) } : before));
  // A new row is filled in next.
  const rows = useRef<HTMLUListElement>(null);
  const isAdding = useRef(false);
  useEffect(() => {
    if (isAdding.current && extra.length > 0)
      rows.current?.lastElementChild?.querySelector<HTMLElement>("input, select")?.focus();
    isAdding.current = false;
  }, [extra.length]);
  const { isShown, more, onAdd } = useShownRows(place, extra.length);
  const add = () => {
    onAdd(extra.length, 1);
    isAdding.current = true;
    const free = names?.find((name) => extra.every((one) => one.name !== name));
    setExtra((before) => [
      ...before,
      { id: nextId(before), name: free ?? "", entry: blankEntry(shape.extra, notation) },
    ]);
  };
  return (
    <div role="group" aria-labelledby={`${id} ${owner}`} className="extra-values form-field full">
      <div id={id} className={hasHeading ? "label" : "visually-hidden"}>
        {forms.otherValues}
      </div>
      {extra.length === 0 ? null : (
        <ul ref={rows}>
          {extra.map((one, index) =>
            isShown(index, placeIn(place, one.name)) ? (
              <li key={one.id}>
                <ExtraValue
                  shape={shape.extra}
                  value={one}
                  names={names}
                  place={placeIn(place, one.name)}
                  onRename={(name) => setExtra((before) => replaced(before, one.id, (other) => ({ ...other, name })))}
                  onChange={(update) =>
                    setExtra((before) =>
                      replaced(before, one.id, (other) => ({ ...other, entry: update(other.entry) })),
                    )
                  }
                  onRemove={() => setExtra((before) => before.filter((other) => other.id !== one.id))}
                />
              </li>
            ) : null,
          )}
        </ul>
      )}
      {more}
      {isFull ? null : (
        <Button id={`${id}-add`} aria-labelledby={`${id}-add ${owner}`} icon="plus" onClick={add} data-adds-field>
          {forms.addExtra}
        </Button>
      )}
    </div>
  );
}

const replaced = (all: readonly ExtraEntry[], id: number, update: (one: ExtraEntry) => ExtraEntry) =>
  all.map((one) => (one.id === id ? update(one) : one));

interface ExtraValueProps {
  readonly shape: Shape;
  readonly value: ExtraEntry;
  /** Names that are accepted; null for any. */
  readonly names: readonly string[] | null;
  readonly place: string;
  readonly onRename: (name: string) => void;
  readonly onChange: Change;
  readonly onRemove: () => void;
}

function ExtraValue({ shape, value: { name, entry }, names, place, onRename, onChange, onRemove }: ExtraValueProps) {
  const { forms } = useTexts();
  const { formId, Control } = useForm();
  const id = controlId(formId, place);
  const error = useErrorAt(place, entry);
  const errorId = error === null ? undefined : `${id}-error`;
  const label = name === "" ? forms.extraFieldValue : name;
  return (
    <div className="extra-value" data-extra={name}>
      {names === null ? (
        <input
          aria-label={forms.extraFieldName}
          placeholder={forms.extraFieldName}
          autoComplete="off"
          value={name}
          onChange={({ target }) => onRename(target.value)}
        />
      ) : (
        <select aria-label={forms.extraFieldName} value={name} onChange={({ target }) => onRename(target.value)}>
          {[...new Set([...names, name])].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
      <div className="value">
        <ValueLabel id={id} text={label} shape={shape} entry={entry} />
        <Control
          shape={shape}
          entry={entry}
          change={onChange}
          place={place}
          label={label}
          isRequired={true}
          placeholder={null}
          attributes={{ id, "aria-describedby": errorId, "aria-invalid": error !== null }}
          field={null}
        />
      </div>
      <IconButton icon="trash" label={forms.removeRow(name)} onClick={onRemove} />
      <FieldNote id={errorId} problem={error} />
    </div>
  );
}

interface ValueLabelProps {
  readonly id: string;
  readonly text: string;
  readonly shape: Shape;
  readonly entry: Entry;
}

function ValueLabel({ id, text, shape, entry }: ValueLabelProps) {
  return isGroup(shape, entry) ? (
    <div id={`${id}-label`} className="visually-hidden">
      {text}
    </div>
  ) : (
    <label id={`${id}-label`} htmlFor={id} className="visually-hidden">
      {text}
    </label>
  );
}
