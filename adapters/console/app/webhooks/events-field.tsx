/** Which events a webhook sends: all, those of a group, or single types. */
import { useId } from "react";
import type { EventType } from "../../../../src/events/event.ts";
import { FieldNote } from "../elements/fields/field-note.tsx";
import { useTexts } from "../texts/language.ts";
import "./webhook-screen.css";

/** A type that is missing here is an error of the compiler. */
const TYPES: Readonly<Record<EventType, true>> = {
  "run.created": true,
  "run.queued": true,
  "run.started": true,
  "run.waiting": true,
  "run.succeeded": true,
  "run.failed": true,
  "run.canceled": true,
  "record.created": true,
  "record.updated": true,
  "record.deleted": true,
  "rule.passed": true,
  "rule.warned": true,
  "rule.failed": true,
  "rule.error": true,
  "file.created": true,
  "file.deleted": true,
  "collection.created": true,
  "collection.updated": true,
  "collection.deleted": true,
  "workflow.deployed": true,
};

const ALL = "*";
const groupOf = (type: string) => `${type.slice(0, type.indexOf("."))}.*`;
const GROUPS = [...new Set(Object.keys(TYPES).map(groupOf))];
const typesOf = (group: string) => Object.keys(TYPES).filter((type) => groupOf(type) === group);

interface EventsFieldProps {
  readonly events: readonly string[];
  readonly onChange: (events: readonly string[]) => void;
  readonly error: string | null;
}

export function EventsField({ events, onChange, error }: EventsFieldProps) {
  const { webhooks: texts } = useTexts();
  const id = useId();
  const chosen = new Set(events);
  const isAll = chosen.has(ALL);
  /** @param covered What the pattern stands for, so that it need not be named, too */
  const box = (pattern: string, isCovered: boolean, covered: (other: string) => boolean) => (
    <label key={pattern} className="check">
      <input
        type="checkbox"
        checked={isCovered || chosen.has(pattern)}
        disabled={isCovered}
        onChange={({ target }) => {
          const others = events.filter((other) => other !== pattern && !covered(other));
          onChange(target.checked ? [...others, pattern] : others);
        }}
      />{" "}
      <code>{pattern}</code>
    </label>
  );
  return (
    <fieldset
      className="events-field"
      aria-describedby={`${id}-hint${error === null ? "" : ` ${id}-error`}`}
      aria-invalid={error !== null}
    >
      <legend>{texts.events}</legend>
      <p id={`${id}-hint`} className="hint">
        {texts.eventsHint}
      </p>
      {box(ALL, false, () => true)}
      {GROUPS.map((group) => (
        <div key={group} className="event-group">
          {box(group, isAll, (other) => groupOf(other) === group)}
          <div className="event-types">
            {typesOf(group).map((type) => box(type, isAll || chosen.has(group), () => false))}
          </div>
        </div>
      ))}
      <FieldNote id={`${id}-error`} problem={error} />
    </fieldset>
  );
}
