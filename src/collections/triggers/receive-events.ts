/** Receives requests at the addresses of triggers: turns them into events and stores a delivery for each new one. */
import { collectBody } from "../../encoding/collect-body.ts";
import { isStepwellError, StepwellError } from "../../errors.ts";
import { isRecord, jsonProblem, minJsonLength, parseJson, parseObject } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import type { Ids } from "../../ports/ids.ts";
import { requestId, type SigningSecrets } from "../../signatures/signing-secrets.ts";
import { isDeliveryKey } from "./delivery.ts";
import type { FindTrigger } from "./find-trigger.ts";
import type { StoreEvents } from "./store-events.ts";
import { settingsOf, type Trigger } from "./trigger.ts";
import { secretsAbout } from "./trigger-state.ts";
import { type AnyTriggerType, MAX_EVENT_BYTES, type TriggerEvent, type TriggerRequest } from "./trigger-type.ts";
import { checkSettings, type TriggerTypes } from "./trigger-types.ts";

export interface IncomingEvents {
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  /** Whether the body was rebuilt after a body parser, so that no signature can be verified. */
  readonly isBodyRebuilt: boolean;
  readonly signal: AbortSignal | undefined;
}

/** The delivery of an event, whether this request or an earlier one brought it. */
export interface Acknowledged {
  readonly id: string;
  readonly event_id: string;
}

export interface ReceiveEvents {
  /**
   * Stores the events of a request. They are handled in the background.
   * @throws StepwellError `not_found` for a trigger that does not accept events; `signature_mismatch`; `too_large`; what the
   * type throws for a body that is none
   */
  receive(triggerId: string, incoming: IncomingEvents): Promise<readonly Acknowledged[]>;
  /** Whether the trigger accepts events. */
  accepts(triggerId: string): Promise<boolean>;
}

const MAX_EVENTS = 100;
const MAX_TEXT_CHARS = 1_024;

/** Decrypts the credentials of a connection. */
export type OpenTriggerConnection = (
  appId: string,
  connectionId: string,
  service: string,
) => Promise<{ readonly credentials: unknown }>;

export function createReceiveEvents(parts: {
  ids: Ids;
  types: TriggerTypes;
  find: FindTrigger;
  storeEvents: StoreEvents;
  signing: Pick<SigningSecrets, "check">;
  fetch: GuardedFetch;
  openConnection: OpenTriggerConnection;
  /** Maximum bytes of a body. */
  bodyBytes: number;
}): ReceiveEvents {
  const { ids, types, find, storeEvents, signing, fetch, openConnection } = parts;
  const limit = Math.min(parts.bodyBytes, MAX_EVENT_BYTES);

  /** One error for all reasons: a sender must not learn more about triggers. */
  async function findAccepting(triggerId: string) {
    const found = await find(triggerId);
    const type = found === null ? "" : types.find(found.trigger.type);
    if (found === null || typeof type === "string" || !found.trigger.enabled) return null;
    return { ...found, type, appId: found.state.document.app_id };
  }

  async function open(appId: string, connectionId: string, service: string): Promise<unknown> {
    try {
      return (await openConnection(appId, connectionId, service)).credentials;
    } catch (error) {
      throw isStepwellError(error, "unavailable") ? error : cannotReceive(error);
    }
  }

  async function eventsOf(
    { type, trigger, appId }: { type: AnyTriggerType; trigger: Trigger; appId: string },
    request: TriggerRequest,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<readonly TriggerEvent[]> {
    const { id: trigger_id, collection_id, connection_id } = trigger;
    const settings = await checkSettings(type, settingsOf(trigger.config), ["config"]);
    if (!settings.ok) throw cannotReceive(invalid(settings.errors));
    const connection = connection_id === undefined ? undefined : await open(appId, connection_id, type.name);
    const about = { app_id: appId, collection_id, trigger_id, config: settings.value as never }; // the output of its schema
    const context = { ...about, connection: connection as never, signal, fetch };
    return checkedEvents(type.name, await refusingIssues(async () => type.receive(request, context)));
  }

  return {
    accepts: async (triggerId) => (await findAccepting(triggerId)) !== null,

    async receive(triggerId, { headers, body: stream, isBodyRebuilt, signal }) {
      const found = await findAccepting(triggerId);
      if (found === null) throw noTrigger();
      const body = await collectBody(stream, limit);
      const state = found.state.document;
      const verified = await signing.check(state.secrets, secretsAbout(state), { headers, body, isBodyRebuilt });
      const id =
        requestId(verified, headers, verified === null ? {} : (parseObject(new TextDecoder().decode(body)) ?? {})) ??
        ids.next("event");
      const request = { headers, body, id, json: () => parseJson(utf8(body)) };
      const events = await eventsOf(found, request, signal);
      for (;;) {
        try {
          return await storeEvents(found, events);
        } catch (error) {
          // Another request brought one of the events at the same time.
          if (!isStepwellError(error, "conflict") || !isDeliveryKey(error.key)) throw error;
        }
      }
    },
  };
}

export function noTrigger(): StepwellError {
  return new StepwellError("not_found", "No trigger accepts events at this address.");
}

/** The log tells the host why. The sender must not learn it. */
function cannotReceive(cause: unknown): StepwellError {
  return new StepwellError("not_configured", "The trigger cannot receive events at the moment. Nothing was stored.", {
    cause,
  });
}

/** What a schema library throws for a request becomes the error of the sender. @throws StepwellError `invalid` */
async function refusingIssues<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!isRecord(error) || !Array.isArray(error["issues"]) || isStepwellError(error)) throw error;
    const errors = error["issues"].flatMap((issue: unknown) =>
      isRecord(issue) && typeof issue["message"] === "string" ? [{ pointer: "", message: issue["message"] }] : [],
    );
    throw invalid(errors, "the body");
  }
}

/**
 * The events that a type returned. What is wrong with them is a mistake of the type, which its sender cannot mend.
 * @throws TypeError
 */
function checkedEvents(type: string, events: readonly TriggerEvent[]): readonly TriggerEvent[] {
  const wrong = (what: string) => new TypeError(`The trigger type ${JSON.stringify(type)} returned ${what}.`);
  if (!Array.isArray(events)) throw wrong("no list of events");
  if (events.length > MAX_EVENTS) throw new StepwellError("too_large", `Must have at most ${MAX_EVENTS} events.`);
  for (const { id, data, milestone, folder } of events) {
    if (!isText(id) || id === "") throw wrong(`an event without an id of 1 to ${MAX_TEXT_CHARS} characters`);
    const texts = [milestone, folder].filter((text) => text !== undefined);
    if (!texts.every(isText)) throw wrong(`a milestone or folder that is no text of ${MAX_TEXT_CHARS} characters`);
    const problem = jsonProblem(data);
    if (problem !== null) throw wrong(`an event whose data is not JSON: ${problem.pointer} ${problem.message}`);
    if (minJsonLength(data, MAX_EVENT_BYTES) > MAX_EVENT_BYTES) {
      throw new StepwellError("too_large", `An event exceeds the limit of ${MAX_EVENT_BYTES} bytes.`);
    }
  }
  return events;
}

const isText = (value: unknown) => typeof value === "string" && value.length <= MAX_TEXT_CHARS;

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new StepwellError("malformed", "The body is not valid UTF-8.", { cause });
  }
}
