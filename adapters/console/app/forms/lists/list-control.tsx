/** Several values: boxes for a few choices, tags for many, cards for objects, else rows. */
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { type Entry, emptyEntry, type ListEntry, type ListRow, nextId } from "../../../../../src/forms/model/entry.ts";
import { blankEntry } from "../../../../../src/forms/model/fill-entry.ts";
import type { Shape } from "../../../../../src/forms/model/form-model.ts";
import { Button } from "../../elements/controls/button.tsx";
import { useTexts } from "../../texts/language.ts";
import type { Change, ControlProps } from "../control-props.ts";
import { focusControl, placeIn, useForm } from "../form-context.ts";
import { BoxesControl } from "./boxes-control.tsx";
import { RowView } from "./row-view.tsx";
import { TagsControl } from "./tags-control.tsx";
import { useShownRows } from "./use-shown-rows.tsx";

/** More choices than these are not all shown. */
const MAX_BOXES = 12;
/** What a person can paste as lines. */
const LINES: readonly Shape["kind"][] = ["text", "number", "date", "time"];

/** A place in a row of a list. */
const IN_ROW = /\/\d+\//;

const rowsOf = (entry: Entry): readonly ListRow[] => (entry.kind === "list" ? entry.rows : []);

export function ListControl(props: ControlProps<"list">) {
  const { item } = props.shape;
  const rows = rowsOf(props.entry);
  // A row that does not fit its control is edited as a row.
  const areChoices = rows.every(({ entry }) => entry.kind === "choice");
  if (item.kind === "choice" && areChoices) {
    return item.choices.length <= MAX_BOXES ? (
      <BoxesControl {...props} choices={item.choices} />
    ) : (
      <TagsControl {...props} choices={item.choices} isOpen={false} />
    );
  }
  const areTexts = rows.every(({ entry }) => entry.kind === "text");
  if (item.kind === "text" && item.suggestions.length > 0 && areTexts) {
    return <TagsControl {...props} choices={item.suggestions} isOpen={true} />;
  }
  return <Rows {...props} />;
}

function Rows({ shape, entry, change, place, label, attributes }: ControlProps<"list">) {
  const { forms } = useTexts();
  const { formId, notation } = useForm();
  const { item } = shape;
  const rows = rowsOf(entry);
  const adding = useFocusAfterAdding(formId, place, rows.length);
  const addButton = useRef<HTMLDivElement>(null);
  // There is nothing to paste into without a row, and in the rows of another list, it would be said many times.
  const takesLines = LINES.includes(item.kind) && rows.length > 0 && !IN_ROW.test(place);
  const { isShown, more, onAdd } = useShownRows(place, rows.length);

  function add(entries: readonly Entry[], at = rows.length): void {
    onAdd(at, entries.length);
    adding.current = at + entries.length - 1;
    changeRows(change, (list) => withRows(list, entries, at));
  }

  function paste(event: ClipboardEvent, index: number): void {
    const lines = LINES.includes(item.kind) ? linesOf(event.clipboardData.getData("text")) : [];
    if (lines.length < 2) return;
    event.preventDefault();
    const entries = lines.map((text): Entry => ({ kind: "text", text }));
    const row = rows[index]?.entry;
    const isEmpty = row?.kind === "text" && row.text === "";
    adding.current = index + entries.length - (isEmpty ? 1 : 0);
    onAdd(index, entries.length);
    changeRows(change, (list) => {
      const kept = isEmpty ? { ...list, rows: list.rows.toSpliced(index, 1) } : list;
      return withRows(kept, entries, isEmpty ? index : index + 1);
    });
  }

  function addOnEnter(event: KeyboardEvent, index: number): void {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    if (!LINES.includes(item.kind) || !(event.target instanceof HTMLElement) || event.target.matches("button")) return;
    event.preventDefault();
    event.stopPropagation();
    add([emptyEntry(item)], index + 1);
  }

  const { "aria-invalid": _, ...described } = attributes;
  return (
    <div {...described} role="group" aria-labelledby={`${attributes.id}-label`} className="list-control">
      {rows.length === 0 ? null : (
        <ol className={item.kind === "object" ? "cards" : "rows"}>
          {rows.map((row, index) =>
            isShown(index, placeIn(place, index)) ? (
              <li
                key={row.id}
                value={index + 1}
                onPaste={(event) => paste(event, index)}
                onKeyDownCapture={(event) => addOnEnter(event, index)}
              >
                <RowView
                  item={item}
                  row={row}
                  change={change}
                  place={placeIn(place, index)}
                  label={forms.row(label, index + 1)}
                  isFirst={index === 0}
                  isLast={index === rows.length - 1}
                  onRemoved={() => addButton.current?.querySelector("button")?.focus()}
                />
              </li>
            ) : null,
          )}
        </ol>
      )}
      {more}
      <div ref={addButton} className="after-rows">
        <Button icon="plus" aria-label={forms.addRow(label)} onClick={() => add([blankEntry(item, notation)])}>
          {forms.addValue}
        </Button>
        {takesLines ? <span className="notes">{forms.pasteLines}</span> : null}
      </div>
    </div>
  );
}

/** A new row gets the focus once it is in the page. */
function useFocusAfterAdding(formId: string, place: string, count: number) {
  const adding = useRef<number | null>(null);
  useEffect(() => {
    if (adding.current === null || adding.current >= count) return;
    focusControl(formId, placeIn(place, adding.current));
    adding.current = null;
  }, [formId, place, count]);
  return adding;
}

function changeRows(change: Change, update: (list: ListEntry) => ListEntry): void {
  change((entry) => update(entry.kind === "list" ? entry : { kind: "list", rows: [] }));
}

function withRows(list: ListEntry, entries: readonly Entry[], at: number): ListEntry {
  const first = nextId(list.rows);
  const rows = entries.map((entry, index) => ({ id: first + index, entry }));
  return at >= list.rows.length
    ? { ...list, rows: [...list.rows, ...rows] }
    : { kind: "list", rows: [...list.rows.slice(0, at), ...rows, ...list.rows.slice(at)] };
}

const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
