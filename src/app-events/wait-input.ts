/** The input of the action `events.wait`. */
import * as v from "valibot";
import { strictObject } from "../schema.ts";
import { EVENT_RETENTION_SECONDS, EventName, EventSubject } from "./app-event.ts";

export const WaitInput = strictObject({
  /** Name of the event. */
  name: EventName,
  /** What the event is about. @default any */
  subject: v.exactOptional(EventSubject),
  /** CEL expression over `event` and what the step sees. @default every event with the name and the subject */
  condition: v.exactOptional(v.string()),
  /** Seconds before the step from which events count, up to seven days. @default 0 */
  lookback: v.exactOptional(
    v.pipe(
      v.number(),
      v.minValue(0, "Must be at least 0."),
      v.maxValue(EVENT_RETENTION_SECONDS, `Must be at most ${EVENT_RETENTION_SECONDS} (7 days).`),
    ),
  ),
});
