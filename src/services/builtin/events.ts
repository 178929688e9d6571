/** The built-in service `events`: steps emit events, and wait for them. */
import { EventEmit, ReceivedEvent, toReceived } from "../../app-events/app-event.ts";
import { WaitInput } from "../../app-events/wait-input.ts";
import { defineService } from "../define-service.ts";
import type { EventWaitAction } from "../service.ts";

const wait = {
  title: "Wait for an event",
  description:
    "Waits until an event with this name arrives, and its subject if one is given. The condition, a CEL expression over event, narrows it further. With lookback, events of the last seconds (at most seven days) count too. Set the timeout of the step to limit the wait.",
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
        "Emits an event of the app. Every run that waits for it goes on, and every workflow that starts on it runs.",
      input: EventEmit,
      output: ReceivedEvent,
      async run(event, { stepwell, app_id, idempotencyKey }) {
        return toReceived(await stepwell.events.emit(app_id, { key: idempotencyKey, ...event }));
      },
    },
  },
});

export const events = { ...emitting, actions: { ...emitting.actions, wait } };
