/** Dates, times, and moments, of which the zone is said. */
import { useEffect, useRef } from "react";
import type { Entry } from "../../../../src/forms/model/entry.ts";
import { MomentNote } from "../elements/fields/moment-note.tsx";
import { useTexts } from "../texts/language.ts";
import { type ControlProps, setText, textOf } from "./control-props.ts";

const TYPES = { date: "date", time: "time", datetime: "datetime-local" } as const;

export function MomentControl({
  shape,
  entry,
  change,
  attributes,
  isRequired,
}: ControlProps<"date" | "time" | "datetime">) {
  const { forms } = useTexts();
  const text = textOf(entry);
  const input = useRef<HTMLInputElement>(null);
  const isUnfinished = entry.kind === "text" && entry.isUnfinished === true;
  // Half of a date is an empty text to a browser, so that emptying the form changes nothing that it would draw. What was
  // kept of half of a date, such as when the page was loaded anew, is nothing.
  useEffect(() => {
    const { current } = input;
    if (current === null || textOf(entry) !== "" || current.validity.badInput === isUnfinished) return;
    if (isUnfinished) setText(change, "");
    else current.value = "";
  }, [entry, isUnfinished, change]);
  /** A browser sends no input event while half of a date is typed into an empty field. */
  const note = (field: HTMLInputElement) => {
    if (field.validity.badInput !== isUnfinished) change(() => entryOf(field));
  };
  const isMoment = shape.kind === "datetime";
  const zoneId = `${attributes.id}-zone`;
  const describedBy = [attributes["aria-describedby"], isMoment ? zoneId : undefined].filter(Boolean).join(" ");
  return (
    <div className="moment-control">
      <input
        {...attributes}
        ref={input}
        aria-describedby={describedBy || undefined}
        type={TYPES[shape.kind]}
        // Seconds are shown only where there are any.
        step={shape.kind === "date" ? undefined : /:\d\d:\d\d/.test(text) ? "any" : 60}
        required={isRequired}
        value={text}
        onChange={({ target }) => change(() => entryOf(target))}
        onKeyUp={({ currentTarget }) => note(currentTarget)}
        onBlur={({ currentTarget }) => {
          note(currentTarget);
          attributes.onBlur?.();
        }}
      />
      {isMoment ? (
        <span id={zoneId} className="zone">
          {forms.zone(Intl.DateTimeFormat().resolvedOptions().timeZone, offsetOf(text))} <MomentNote local={text} />
        </span>
      ) : null}
    </div>
  );
}

const entryOf = ({ value, validity }: HTMLInputElement): Entry =>
  validity.badInput ? { kind: "text", text: value, isUnfinished: true } : { kind: "text", text: value };

/** The offset from UTC at a local time, or now. */
function offsetOf(local: string): string {
  const given = new Date(local);
  const minutes = -(Number.isNaN(given.getTime()) ? new Date() : given).getTimezoneOffset();
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `UTC${minutes < 0 ? "−" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
