/** Calls the functions of trigger types with validated settings and decrypted credentials, and validates their events. */
import { type FieldError, isStepwellError, StepwellError } from "../../errors.ts";
import { isRecord, jsonProblem, minJsonLength } from "../../json.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import { SECOND_MS } from "../../time/units.ts";
import { unlessAborted } from "../../time/unless-aborted.ts";
import type { FoundTrigger } from "./find-trigger.ts";
import { settingsOf } from "./trigger.ts";
import {
  type AnyTriggerType,
  type ConnectedTriggerContext,
  MAX_EVENT_BYTES,
  type TriggerEvent,
} from "./trigger-type.ts";
import { checkSettings } from "./trigger-types.ts";

const MAX_TEXT_CHARS = 1_024;
/** How long `receive` and `test` of a type may take. */
const TIMEOUT_MS = 30 * SECOND_MS;

/** Decrypts the credentials of a connection. */
export type OpenTriggerConnection = (
  appId: string,
  connectionId: string,
  service: string,
) => Promise<{ readonly credentials: unknown }>;

/**
 * The context of a type's functions.
 * @throws StepwellError `invalid` if the settings no longer fit; what opening the connection throws
 */
export type ContextOfTrigger = (
  found: FoundTrigger,
  type: AnyTriggerType,
  signal: AbortSignal,
) => Promise<ConnectedTriggerContext<never, never>>;

export function createContextOfTrigger(parts: {
  fetch: GuardedFetch;
  openConnection: OpenTriggerConnection;
}): ContextOfTrigger {
  const { fetch, openConnection } = parts;

  return async ({ state, trigger }, type, signal) => {
    const { id: trigger_id, collection_id, connection_id } = trigger;
    const { app_id } = state.document;
    const settings = await checkSettings(type, settingsOf(trigger.config), ["config"]);
    if (!settings.ok) throw invalid(settings.errors);
    const opened = connection_id === undefined ? undefined : await openConnection(app_id, connection_id, type.name);
    const config = settings.value as never; // the output of its schema
    const connection = opened?.credentials as never; // as above
    return { app_id, collection_id, trigger_id, config, connection, signal, fetch };
  };
}

/**
 * Calls a function of a type that somebody waits for, and stops waiting when it takes too long.
 * @param name The name of the function.
 * @param stopping Aborts when the service closes.
 * @throws StepwellError `unavailable` when the time is over; the reason of `stopping`
 */
export async function callInTime<T>(
  { clock, name, stopping }: { clock: Clock; name: string; stopping: AbortSignal },
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const publicDetail = `The trigger took longer than ${TIMEOUT_MS / SECOND_MS} seconds. Nothing was stored. Try again later.`;
  const message = `The function ${name} of the trigger type took longer than ${TIMEOUT_MS / SECOND_MS} seconds.`;
  const disarm = clock.after(TIMEOUT_MS, () => late.abort(new StepwellError("unavailable", message, { publicDetail })));
  const signal = AbortSignal.any([late.signal, stopping]);
  try {
    return await unlessAborted(call(signal), signal);
  } finally {
    disarm();
  }
}

/** Turns the errors of schema libraries into errors for the sender of the data. @throws StepwellError `invalid` */
export async function refusingIssues<T>(act: () => Promise<T>): Promise<T> {
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
 * Validates the events that a type returned. Invalid ones are a mistake in the type, which the sender cannot fix.
 * @throws TypeError
 */
export function checkedEvents(type: string, events: readonly TriggerEvent[], max: number): readonly TriggerEvent[] {
  const wrong = (what: string) => new TypeError(`The trigger type ${JSON.stringify(type)} returned ${what}.`);
  if (!Array.isArray(events)) throw wrong("something other than a list of events");
  if (events.length > max) throw wrong(`${events.length} events, more than the limit of ${max}`);
  for (const event of events) {
    if (!isRecord(event)) throw wrong("an event that is not an object");
    const { id, data, milestone, folder } = event;
    if (!isText(id) || id === "") throw wrong(`an event without an id of 1 to ${MAX_TEXT_CHARS} characters`);
    const texts = [milestone, folder].filter((text) => text !== undefined);
    if (!texts.every(isText))
      throw wrong(`a milestone or folder that is not a string of at most ${MAX_TEXT_CHARS} characters`);
    const problem = jsonProblem(data);
    if (problem !== null) throw wrong(`an event whose data is not JSON: ${sentenceOf(problem)}`);
    if (minJsonLength(data, MAX_EVENT_BYTES) > MAX_EVENT_BYTES) {
      throw new StepwellError("too_large", `An event exceeds the limit of ${MAX_EVENT_BYTES} bytes.`);
    }
  }
  return events;
}

/** Without the full stop, which follows. */
const sentenceOf = ({ pointer, message }: FieldError) => `${pointer} ${message}`.trim().replace(/\.$/, "");
const isText = (value: unknown) => typeof value === "string" && value.length <= MAX_TEXT_CHARS;
