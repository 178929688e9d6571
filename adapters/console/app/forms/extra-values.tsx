/** Values of names that an object accepts besides its fields. */
import { useEffect, useRef } from "react";
import { type ExtraEntry, nextId, type ObjectEntry } from "../../../../src/forms/model/entry.ts";
import type { AdditionalNames } from "../../../../src/forms/model/form-model.ts";
import { Button, IconButton } from "../elements/controls/button.tsx";
import { Icon } from "../elements/icons.tsx";
import { useTexts } from "../texts/language.ts";
import type { Change } from "./control-props.ts";
import { controlId, placeIn, useForm } from "./form-context.ts";

interface ExtraValuesProps {
  /** Whether a heading sets them apart from fields. */
  readonly hasHeading: boolean;
  readonly additional: AdditionalNames;
  readonly entry: ObjectEntry;
  readonly change: Change;
  readonly place: string;
}

export function ExtraValues({ hasHeading, additional, entry, change, place }: ExtraValuesProps) {
  const { forms } = useTexts();
  const { formId } = useForm();
  const { extra } = entry;
  const names = Array.isArray(additional) ? additional : null;
  const isFull = additional === false || (names !== null && extra.length >= names.length);
  const id = `${controlId(formId, place)}-others`;
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
  const add = () => {
    isAdding.current = true;
    const free = names?.find((name) => extra.every((one) => one.name !== name));
    setExtra((before) => [...before, { id: nextId(before), name: free ?? "", text: "" }]);
  };
  return (
    <div role="group" aria-labelledby={id} className="extra-values form-field full">
      <div id={id} className={hasHeading ? "label" : "visually-hidden"}>
        {forms.otherValues}
      </div>
      <p className="notes">{forms.extraHint}</p>
      {extra.length === 0 ? null : (
        <ul ref={rows}>
          {extra.map((one) => (
            <li key={one.id}>
              <ExtraValue
                value={one}
                names={names}
                place={placeIn(place, one.name)}
                onChange={(next) =>
                  setExtra((before) => before.map((other) => (other.id === one.id ? { ...other, ...next } : other)))
                }
                onRemove={() => setExtra((before) => before.filter((other) => other.id !== one.id))}
              />
            </li>
          ))}
        </ul>
      )}
      {isFull ? null : (
        <Button icon="plus" onClick={add}>
          {forms.addExtra}
        </Button>
      )}
    </div>
  );
}

interface ExtraValueProps {
  readonly value: ExtraEntry;
  /** Names that are accepted; null for any. */
  readonly names: readonly string[] | null;
  readonly place: string;
  readonly onChange: (next: Partial<ExtraEntry>) => void;
  readonly onRemove: () => void;
}

function ExtraValue({ value: { name, text }, names, place, onChange, onRemove }: ExtraValueProps) {
  const { forms } = useTexts();
  const { formId, errors } = useForm();
  const id = controlId(formId, place);
  const error = errors.get(place) ?? null;
  const errorId = error === null ? undefined : `${id}-error`;
  return (
    <div className="extra-value">
      {names === null ? (
        <input
          aria-label={forms.extraFieldName}
          placeholder={forms.extraFieldName}
          autoComplete="off"
          value={name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      ) : (
        <select
          aria-label={forms.extraFieldName}
          value={name}
          onChange={({ target }) => onChange({ name: target.value })}
        >
          {[...new Set([...names, name])].map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
      <input
        id={id}
        aria-label={`${forms.extraFieldValue} ${name}`}
        placeholder={forms.extraFieldValue}
        aria-invalid={error !== null}
        aria-describedby={errorId}
        autoComplete="off"
        value={text}
        onChange={({ target }) => onChange({ text: target.value })}
      />
      <IconButton icon="trash" label={forms.removeRow(name)} onClick={onRemove} />
      {error === null ? null : (
        <div id={errorId} className="field-error">
          <Icon name="warning" /> <span>{error}</span>
        </div>
      )}
    </div>
  );
}
