/** Receives requests at the URLs of triggers: turns them into events and stores a delivery for each new one. */
import { collectBody } from "../../encoding/collect-body.ts";
import { isStepwellError, StepwellError } from "../../errors.ts";
import { parseJson } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import { requestId, type SigningSecrets } from "../../signatures/signing-secrets.ts";
import { type ContextOfTrigger, callInTime, checkedEvents, refusingIssues } from "./call-type.ts";
import { isDeliveryKey } from "./deliveries/delivery.ts";
import { keyErrors } from "./deliveries/map-event.ts";
import type { StoreEvents } from "./deliveries/store-events.ts";
import type { FindTrigger, FoundTrigger } from "./find-trigger.ts";
import { boundTo } from "./trigger-state.ts";
import { type AnyTriggerType, MAX_EVENT_BYTES } from "./trigger-type.ts";
import type { TriggerTypes } from "./trigger-types.ts";

export interface IncomingEvents {
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether the body was rebuilt after a body parser, so that no signature can be verified. */
  readonly isBodyRebuilt: boolean;
  readonly signal: AbortSignal | undefined;
}

/** The delivery of an event, whether it was received with this request or an earlier one. */
export interface Acknowledged {
  readonly id: string;
  readonly event_id: string;
}

export interface ReceiveEvents {
  /**
   * Stores the events of a request. They are handled in the background.
   * @throws StepwellError `not_found` for a trigger that does not accept events; `signature_mismatch`; `too_large`; what the
   * type throws for an invalid body; `invalid` for a key that lost digits; `unavailable` if the type takes too long
   */
  receive(triggerId: string, incoming: IncomingEvents): Promise<readonly Acknowledged[]>;
  /** Whether the trigger accepts events. */
  accepts(triggerId: string): Promise<boolean>;
  /** Stops waiting for types that are called. */
  stop(): void;
}

/** Maximum number of events that a type may return for a request. They are stored in one commit. */
const MAX_EVENTS = 1_000;

export function createReceiveEvents(parts: {
  clock: Clock;
  ids: Ids;
  types: TriggerTypes;
  find: FindTrigger;
  contextOf: ContextOfTrigger;
  storeEvents: StoreEvents;
  signing: Pick<SigningSecrets, "verifyWithSecrets">;
  /** Maximum bytes of a body. */
  bodyBytes: number;
}): ReceiveEvents {
  const { clock, ids, types, find, contextOf, storeEvents, signing } = parts;
  const limit = Math.min(parts.bodyBytes, MAX_EVENT_BYTES);
  const stopping = new AbortController();

  /** The same response for all reasons, so that senders learn nothing about triggers. */
  async function findAccepting(triggerId: string) {
    const found = await find(triggerId);
    const type = found === null ? "" : types.find(found.trigger.type);
    if (found === null || typeof type === "string" || type.receive === undefined || !found.trigger.enabled) return null;
    return { found, type };
  }

  async function openContext(found: FoundTrigger, type: AnyTriggerType, signal: AbortSignal) {
    try {
      return await contextOf(found, type, signal);
    } catch (cause) {
      if (isStepwellError(cause, "unavailable")) throw cause;
      // The log tells the host why. The sender must not learn it.
      const message = "The trigger cannot receive events at the moment. Nothing was stored.";
      throw new StepwellError("not_configured", message, { cause });
    }
  }

  return {
    accepts: async (triggerId) => (await findAccepting(triggerId)) !== null,

    async receive(triggerId, { headers, body: stream, isBodyRebuilt, signal = new AbortController().signal }) {
      const accepting = await findAccepting(triggerId);
      if (accepting === null) throw new StepwellError("not_found", "No trigger accepts events at this URL.");
      const { found, type } = accepting;
      const body = await collectBody(stream, limit);
      const state = found.state.document;
      const verified = await signing.verifyWithSecrets(state.secrets, boundTo(state), { headers, body, isBodyRebuilt });
      const id = requestId(verified, { headers, body }) ?? ids.next("event");
      const request = { headers, body, id, json: () => parseJson(utf8(body)) };
      const received = await callInTime({ clock, name: "receive", stopping: stopping.signal }, async (ended) => {
        const context = await openContext(found, type, AbortSignal.any([signal, ended]));
        return refusingIssues(async () => (await type.receive?.(request, context)) ?? []);
      });
      const events = checkedEvents(type.name, received, MAX_EVENTS);
      const wrong = keyErrors(found.trigger.config, events);
      if (wrong.length > 0) throw invalid(wrong, "the body");
      for (;;) {
        try {
          return await storeEvents(found, events);
        } catch (error) {
          // Another request contained one of the events at the same time.
          if (!isStepwellError(error, "conflict") || !isDeliveryKey(error.key)) throw error;
        }
      }
    },

    stop: () => stopping.abort(new StepwellError("unavailable", "The service is closing.")),
  };
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new StepwellError("malformed", "The body is not valid UTF-8.", { cause });
  }
}
