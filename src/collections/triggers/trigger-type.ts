/** Trigger types: the settings of triggers, and how they turn requests into events. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";

/** Maximum bytes of the body of a request, and of the JSON of an event. */
export const MAX_EVENT_BYTES = MEBIBYTE;

/** An event of the source, such as a changed loan. */
export interface TriggerEvent {
  /**
   * Id of the event at its source, 1 to 1,024 characters. Stepwell handles events with the same id once within 30 days.
   */
  readonly id: string;
  /** The event, from which the mappings of the trigger take values: at most 1 MiB of JSON. */
  readonly data: JsonObject;
  /** Milestone that was reached, for `pull_on_millestones`. @default none: such a filter excludes the event */
  readonly milestone?: string | undefined;
  /** Folder that contains the entity, for `pull_on_folders`. @default none: such a filter excludes the event */
  readonly folder?: string | undefined;
}

/** A request to the URL of a trigger. */
export interface TriggerRequest {
  /** The headers. */
  readonly headers: Headers;
  /** The bytes of the body, at most 1 MiB. */
  readonly body: Uint8Array;
  /**
   * Id of the request: the one that the sender signed or sent in a header (`webhook-id`, `idempotency-key`,
   * `x-github-delivery`), otherwise a new one.
   */
  readonly id: string;
  /** The body as JSON. @throws StepwellError `malformed`, which the sender gets as 400 */
  json(): JsonValue;
}

/** The context of a trigger type's functions. */
export interface TriggerContext<Config> {
  /** App that owns the collection. */
  readonly app_id: string;
  /** Collection that the trigger belongs to. */
  readonly collection_id: string;
  /** The trigger. */
  readonly trigger_id: string;
  /** The output of the schema `config`. */
  readonly config: Config;
  /**
   * Aborts when the sender disconnects, when `receive` takes longer than 30 seconds or `poll` longer than 60, and when
   * Stepwell closes.
   */
  readonly signal: AbortSignal;
  /** Fetches user-supplied URLs. Refuses addresses that the option `net` does not permit. Pass `signal` to it. */
  readonly fetch: GuardedFetch;
}

/** The context of a trigger type's functions, with a connection. */
export interface ConnectedTriggerContext<Config, Connection> extends TriggerContext<Config> {
  /** Credentials of the trigger's connection: the output of the schema `connection`. */
  readonly connection: Connection;
}

/** The context of `poll`. */
export type PollContext<Context> = Context & {
  /** The cursor of the last poll; null before the first poll and after a change of the trigger's settings. */
  readonly cursor: JsonValue;
};

/** The result of a poll. */
export interface PollResult {
  /** At most 1,000 events. Stepwell recognizes events of earlier polls by their ids and ignores them. */
  readonly events: readonly TriggerEvent[];
  /** Cursor for the next poll: at most 64 KiB of JSON. Stored together with the events. @default null */
  readonly cursor?: JsonValue | undefined;
  /** Whether to poll again immediately with the new cursor, or after a second if `events` is empty. @default false */
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
  /** Whether triggers may have no connection. */
  readonly connectionOptional?: boolean | undefined;
  /** Turns a request into events. */
  receive?(
    request: TriggerRequest,
    context: ConnectedTriggerContext<never, never>,
  ): readonly TriggerEvent[] | Promise<readonly TriggerEvent[]>;
  /** Returns new events of the source. */
  poll?(context: PollContext<ConnectedTriggerContext<never, never>>): PollResult | Promise<PollResult>;
  /** Returns a sample event, for tests. */
  test?(): Sample | Promise<Sample>;
}

/** A sample event for tests. Stepwell assigns its id. */
export interface Sample extends Omit<TriggerEvent, "id"> {}

/** Whether a trigger of this type polls while it is enabled. */
export function pollsWith({ poll, connectionOptional }: AnyTriggerType, connectionId: string | undefined): boolean {
  return poll !== undefined && (connectionOptional !== true || connectionId !== undefined);
}
