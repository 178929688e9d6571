/** The built-in service `events`: steps emit events, and wait for them. */
import { EventEmit, ReceivedEvent, toReceived } from "../../app-events/app-event.ts";
import { WaitInput } from "../../app-events/wait-input.ts";
import { defineService } from "../define-service.ts";
import type { EventWaitAction } from "../service.ts";

const wait = {
  title: "Wait for an event",
  description:
    "Waits for an event with this name and, if set, this subject. condition is a CEL expression over event that must be true. With lookback, events of the last N seconds (at most seven days) match too. To limit the wait, set the timeout of the step.",
  input: WaitInput,
  output: ReceivedEvent,
  waits: "event",
} as const satisfies EventWaitAction;

const emitting = defineService({
  name: "events",
  title: "Events",
  actions: {
    emit: {
      title: "Emit an event",
      description:
        "Emits an event of the app. It resumes every run that waits for it and starts every workflow that it triggers.",
      input: EventEmit,
      output: ReceivedEvent,
      async run(event, { stepwell, app_id, idempotencyKey }) {
        return toReceived(await stepwell.events.emit(app_id, { key: idempotencyKey, ...event }));
      },
    },
  },
});

export const events = { ...emitting, actions: { ...emitting.actions, wait } };
