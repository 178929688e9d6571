/** Trigger types: what a trigger can be told, and how it turns requests into events. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";

/** Bytes of the body of a request, and of the JSON of an event. */
export const MAX_EVENT_BYTES = MEBIBYTE;

/** Something that happened at the source, such as a changed loan. */
export interface TriggerEvent {
  /**
   * Id of the event at its source, 1 to 1,024 characters. An event is handled once, however often it comes within 30 days.
   */
  readonly id: string;
  /** The event, from which the mappings of the trigger read: at most 1 MiB of JSON. */
  readonly data: JsonObject;
  /** Milestone that was reached, for `pull_on_millestones`. @default none: such a filter excludes the event */
  readonly milestone?: string | undefined;
  /** Folder that contains the entity, for `pull_on_folders`. @default none: such a filter excludes the event */
  readonly folder?: string | undefined;
}

/** A request to the address of a trigger. */
export interface TriggerRequest {
  readonly headers: Headers;
  /** The bytes of the body, at most 1 MiB. */
  readonly body: Uint8Array;
  /**
   * Id of the request: the one that the sender signed or gave in a header (`webhook-id`, `idempotency-key`,
   * `x-github-delivery`), otherwise a new one.
   */
  readonly id: string;
  /** The body as JSON. @throws StepwellError `malformed`, which the sender gets as 400 */
  json(): JsonValue;
}

/** What the functions of a trigger type get to know. */
export interface TriggerContext<Config> {
  readonly app_id: string;
  readonly collection_id: string;
  readonly trigger_id: string;
  /** The output of the schema `config`. */
  readonly config: Config;
  /** Aborts when the sender disconnects, when a poll takes longer than 60 seconds, and when Stepwell closes. */
  readonly signal: AbortSignal;
  /** Fetches URLs that users supply; private addresses are refused. Pass `signal` to it. */
  readonly fetch: GuardedFetch;
}

/** What the functions of a trigger type with a connection get to know. */
export interface ConnectedTriggerContext<Config, Connection> extends TriggerContext<Config> {
  /** Credentials of the trigger's connection: the output of the schema `connection`. */
  readonly connection: Connection;
}

/** What `poll` gets to know. */
export type PollContext<Context> = Context & {
  /** The cursor of the last poll; null at first, and after the settings of the trigger have changed. */
  readonly cursor: JsonValue;
};

/** What a poll found. */
export interface PollResult {
  /** At most 1,000 events. Events that were found before do no harm: they are recognized by their ids. */
  readonly events: readonly TriggerEvent[];
  /** Where the next poll goes on: at most 64 KiB of JSON. Stored together with the events. @default null */
  readonly cursor?: JsonValue | undefined;
  /** Whether to poll again at once, with the new cursor. @default false */
  readonly more?: boolean | undefined;
}

/** A trigger type with any configuration. */
export interface AnyTriggerType {
  /** Name of the type in triggers. */
  readonly name: string;
  /** Title for people. */
  readonly title?: string | undefined;
  /** Schema of the settings of the type. */
  readonly config: StandardSchemaV1;
  /** Schema of the credentials; absent if the type needs no connection. */
  readonly connection?: StandardSchemaV1 | undefined;
  /** Turns a request into events. */
  receive?(
    request: TriggerRequest,
    context: ConnectedTriggerContext<never, never>,
  ): readonly TriggerEvent[] | Promise<readonly TriggerEvent[]>;
  /** Asks the source for new events. */
  poll?(context: PollContext<ConnectedTriggerContext<never, never>>): PollResult | Promise<PollResult>;
  /** Returns a sample of an event, for tests. */
  test?(): Sample | Promise<Sample>;
}

/** An event for tests. Stepwell gives it an id. */
export interface Sample extends Omit<TriggerEvent, "id"> {}
