/** App events: callers and steps emit them, runs wait for them, and workflows start on them. */
import * as v from "valibot";
import { type JsonObject, minJsonLength } from "../json.ts";
import type { Key, ListQuery } from "../ports/store.ts";
import { jsonObject, list, strictObject } from "../schema.ts";
import { DAY_SECONDS, SECOND_MS } from "../time/units.ts";

/** How long events are kept, in seconds. A wait cannot look back further. */
export const EVENT_RETENTION_SECONDS = 7 * DAY_SECONDS;
export const EVENT_RETENTION_MS = EVENT_RETENTION_SECONDS * SECOND_MS;

/** Limit of the payload of an event, in bytes of JSON. */
const MAX_PAYLOAD_BYTES = 64 * 1024;

export const EventName = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(128, "Must have at most 128 characters."),
  v.regex(/^[\w.:/-]*$/, "Must consist of letters, digits and the characters . _ - : /."),
);

/** No line breaks, which separate the name from the subject in the marks of rows. */
export const EventSubject = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(256, "Must have at most 256 characters."),
  v.regex(/^[^\p{Cc}]*$/u, "Must not contain control characters."),
);

function isSmall(payload: JsonObject): boolean {
  const least = minJsonLength(payload, MAX_PAYLOAD_BYTES);
  if (least > MAX_PAYLOAD_BYTES) return false;
  return new TextEncoder().encode(JSON.stringify(payload)).length <= MAX_PAYLOAD_BYTES;
}

const content = {
  /** Name of the event, such as `order.paid`: 1 to 128 letters, digits and the characters `. _ - : /`. */
  name: EventName,
  /** Subject of the event, such as an order number, 1 to 256 characters. @default none */
  subject: v.exactOptional(EventSubject),
  /** Payload, at most 64 KiB of JSON. @default {} */
  payload: v.exactOptional(
    v.pipe(jsonObject, v.check(isSmall, `Must have at most ${MAX_PAYLOAD_BYTES} bytes of JSON.`)),
  ),
} as const;

export const EventEmit = strictObject({
  ...content,
  /**
   * Makes the call idempotent for seven days: a repeat with the same key and content returns the event, and other
   * content is a `conflict`. 1 to 1,024 characters.
   * @default none: each call emits an event
   */
  key: v.exactOptional(v.pipe(v.string(), v.minLength(1, "Must not be empty."), v.maxLength(1_024))),
});
/**
 * An event to emit.
 * @example { "name": "payment.received", "subject": "order-17", "payload": { "amount": 100 } }
 */
export interface EventEmit extends v.InferInput<typeof EventEmit> {}
export interface CheckedEventEmit extends v.InferOutput<typeof EventEmit> {}

export const ReceivedEvent = v.object({
  /** `event_…` */
  id: v.string(),
  /** Name of the event. */
  name: v.string(),
  /** Subject of the event, or null. */
  subject: v.nullable(v.string()),
  /** Details. */
  payload: jsonObject,
  /** When it was emitted, ISO 8601. */
  created_at: v.string(),
});
/** An event as runs receive it. */
export interface ReceivedEvent extends Readonly<v.InferOutput<typeof ReceivedEvent>> {}

const StartProblem = v.object({
  /** Workflow that was not started. */
  workflow_id: v.string(),
  /** Error code. */
  code: v.string(),
  /** What went wrong. */
  message: v.string(),
});

export const AppEvent = v.object({
  ...ReceivedEvent.entries,
  /** App that owns the event. */
  app_id: v.string(),
  /** When delivery to all runs and workflows was complete, ISO 8601; null before. */
  delivered_at: v.nullable(v.string()),
  /** Number of waiting runs that the event resumed. After a crash, the count may be too low. */
  runs_resumed: v.number(),
  /** Ids of the runs that the event started, at most 100. */
  runs_started: list(v.string()),
  /** Workflows that the event could not start, at most 100, with the reasons. */
  problems: list(StartProblem),
});
/** An event with the runs that it started and resumed. */
export interface AppEvent extends Readonly<v.InferOutput<typeof AppEvent>> {}

export const eventKey = (eventId: string): Key => `app-event:${eventId}`;
export const eventsOf = (appId: string) => `app-events.${appId}`;
/** The steps of an app that wait for events: a row for each. */
export const eventWaitsOf = (appId: string) => `event-waits.${appId}`;
/** The workflows of an app whose latest version starts on events. */
export const eventStartsOf = (appId: string) => `event-starts.${appId}`;

const subjectMark = (name: string, subject: string) => `subject:${name}\n${subject}`;
const nameMark = (name: string) => `name:${name}`;

/** What an event is found by. */
export function marksOfEvent({ name, subject }: Pick<ReceivedEvent, "name" | "subject">): string[] {
  return subject === null ? [nameMark(name)] : [nameMark(name), subjectMark(name, subject)];
}

/** What a wait is found by. @param subject Null for any. */
export function markOfWait(name: string, subject: string | null): string {
  return subject === null ? nameMark(name) : subjectMark(name, subject);
}

/** The waits and workflows that one of the events may concern. */
export const concernedBy = (events: readonly Pick<ReceivedEvent, "name" | "subject">[]): ListQuery["marks"] => [
  [...new Set(events.flatMap(marksOfEvent))],
];

export const toReceived = ({ id, name, subject, payload, created_at }: ReceivedEvent): ReceivedEvent => ({
  ...{ id, name, subject, payload, created_at },
});
