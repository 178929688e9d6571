/** Dates, times, and moments, of which the zone is said. */
import { useEffect, useRef } from "react";
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
  /** Whether the entry is what a person has typed last. */
  const isTyped = useRef(false);
  // Half of a date is an empty text to the form, so that emptying the form changes nothing that a browser would draw.
  useEffect(() => {
    const { current } = input;
    if (!isTyped.current && current !== null && textOf(entry) === "" && current.validity.badInput) current.value = "";
    isTyped.current = false;
  }, [entry]);
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
        onChange={({ target }) => {
          isTyped.current = true;
          setText(change, target.value);
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

/** The offset from UTC at a local time, or now. */
function offsetOf(local: string): string {
  const given = new Date(local);
  const minutes = -(Number.isNaN(given.getTime()) ? new Date() : given).getTimezoneOffset();
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `UTC${minutes < 0 ? "−" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
