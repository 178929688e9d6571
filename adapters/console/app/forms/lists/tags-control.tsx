/** Several of many choices: those that were chosen as tags, and a control that adds one. */
import { type KeyboardEvent, useState } from "react";
import { type Entry, withRow } from "../../../../../src/forms/model/entry.ts";
import type { Choice } from "../../../../../src/forms/model/form-model.ts";
import { Button, IconButton } from "../../elements/controls/button.tsx";
import { useTexts } from "../../texts/language.ts";
import type { ControlProps } from "../control-props.ts";

interface TagsControlProps extends ControlProps<"list"> {
  readonly choices: readonly Choice[];
  /** Whether other values are accepted too. */
  readonly isOpen: boolean;
}

const valueOfEntry = (entry: Entry) =>
  entry.kind === "choice" ? entry.value : entry.kind === "text" ? entry.text : null;

export function TagsControl({ choices, isOpen, entry, change, attributes, label }: TagsControlProps) {
  const { forms } = useTexts();
  const rows = entry.kind === "list" ? entry.rows : [];
  const taken = new Set(rows.map((row) => valueOfEntry(row.entry)));
  const left = choices.filter(({ value }) => !taken.has(value));
  const add = (value: Choice["value"]) => {
    if (taken.has(value) || value === "") return;
    const added: Entry = isOpen ? { kind: "text", text: String(value) } : { kind: "choice", value };
    change((before) => withRow(before.kind === "list" ? before : { kind: "list", rows: [] }, added));
  };
  const { "aria-invalid": _, ...described } = attributes;
  return (
    <div {...described} role="group" aria-labelledby={`${attributes.id}-label`} className="tags-control">
      {rows.length === 0 ? null : (
        <ul className="tags">
          {rows.map((row) => {
            const value = valueOfEntry(row.entry);
            const text = choices.find((one) => one.value === value)?.label ?? String(value);
            const remove = () =>
              change((before) =>
                before.kind === "list" ? { ...before, rows: before.rows.filter(({ id }) => id !== row.id) } : before,
              );
            return (
              <li key={row.id} className="tag">
                <bdi>{text}</bdi>
                <IconButton icon="close" label={forms.removeRow(text)} onClick={remove} />
              </li>
            );
          })}
        </ul>
      )}
      {isOpen ? (
        <NewTag choices={left} id={`${attributes.id}-new`} label={label} onAdd={add} />
      ) : (
        <select
          aria-label={forms.addRow(label)}
          value=""
          onChange={({ target }) => {
            const chosen = left[Number(target.value)];
            if (target.value !== "" && chosen !== undefined) add(chosen.value);
          }}
        >
          <option value="">{forms.choose}</option>
          {left.map((choice, index) => (
            <option key={String(choice.value)} value={String(index)}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

interface NewTagProps {
  readonly choices: readonly Choice[];
  readonly id: string;
  readonly label: string;
  readonly onAdd: (value: string) => void;
}

function NewTag({ choices, id, label, onAdd }: NewTagProps) {
  const { forms } = useTexts();
  const [text, setText] = useState("");
  const add = () => {
    onAdd(text.trim());
    setText("");
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };
  return (
    <div className="new-tag">
      <input
        id={id}
        aria-label={forms.addRow(label)}
        list={`${id}-list`}
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKey}
        // What was typed is not lost by going on.
        onBlur={add}
      />
      <datalist id={`${id}-list`}>
        {choices.map((choice) => (
          <option key={String(choice.value)} value={String(choice.value)} label={choice.label} />
        ))}
      </datalist>
      <Button icon="plus" onClick={add}>
        {forms.addValue}
      </Button>
    </div>
  );
}
