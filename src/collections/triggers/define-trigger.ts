/** defineTrigger: trigger types of the host. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { rejectUnknownFields } from "../../messages/unknown-fields.ts";
import type {
  AnyTriggerType,
  ConnectedTriggerContext,
  PollContext,
  PollResult,
  Sample,
  TriggerContext,
  TriggerEvent,
  TriggerRequest,
} from "./trigger-type.ts";

type ContextOf<
  Config extends StandardSchemaV1,
  Connection extends StandardSchemaV1 | undefined,
> = Connection extends StandardSchemaV1
  ? ConnectedTriggerContext<StandardSchemaV1.InferOutput<Config>, StandardSchemaV1.InferOutput<Connection>>
  : TriggerContext<StandardSchemaV1.InferOutput<Config>>;

/** The context of `receive`, which has no connection if the trigger has none. */
type ReceiveContextOf<
  Config extends StandardSchemaV1,
  Connection extends StandardSchemaV1 | undefined,
  Optional extends boolean,
> = Connection extends StandardSchemaV1
  ? ConnectedTriggerContext<
      StandardSchemaV1.InferOutput<Config>,
      StandardSchemaV1.InferOutput<Connection> | (Optional extends true ? undefined : never)
    >
  : ContextOf<Config, Connection>;

type Events = readonly TriggerEvent[] | Promise<readonly TriggerEvent[]>;

/**
 * Defines a trigger type, which receives events from a source or polls it. Pass it to `createStepwell`; triggers of
 * collections can then have its name as `type`. Stepwell handles each event once: it filters the event, maps it to a
 * record, and logs the outcome.
 *
 * Names have 1 to 64 letters, digits, `_` and `-`.
 *
 * @throws TypeError for an invalid name, schema or function, and an unknown field
 *
 * @example
 * ```ts
 * const shipments = defineTrigger({
 *   name: "shipments",
 *   config: v.strictObject({ depot: v.string() }),
 *   receive(request, { config }) {
 *     const { id, depot, ...data } = v.parse(Shipment, request.json());
 *     return depot === config.depot ? [{ id, data }] : [];
 *   },
 * });
 * const stepwell = createStepwell({ triggers: [shipments] });
 * ```
 */
export function defineTrigger<
  const Name extends string,
  Config extends StandardSchemaV1,
  Connection extends StandardSchemaV1 | undefined = undefined,
  const Optional extends boolean = false,
>(type: {
  /** Name of the type in triggers: 1 to 64 letters, digits, `_` and `-`. */
  readonly name: Name;
  /** Title for people. @default none */
  readonly title?: string;
  /**
   * Schema of the type's own settings: any Standard Schema of an object. They are the fields of a trigger's `config`
   * besides `type`, `mappings`, `pull_on_millestones`, `pull_on_folders` and `interval`. Stepwell validates them when
   * you write a trigger.
   */
  readonly config: Config;
  /**
   * Schema of the credentials: any Standard Schema of an object. Apps store them as a connection whose `service` is the
   * name of the type, and the functions receive them as `context.connection`.
   * @default none: the type needs no connection
   */
  readonly connection?: Connection;
  /**
   * Whether triggers may omit the connection. Without one, a trigger only receives requests and does not poll.
   * @default false: a trigger of a type with a `connection` must have one
   */
  readonly connectionOptional?: Optional;
  /**
   * Turns a request to the URL of the trigger into at most 1,000 events. Throw a StepwellError `invalid` or `malformed`
   * for an invalid body, and `too_large` for a body with more events. Stepwell stores the events before it responds,
   * and handles them afterwards. If the function takes longer than 30 seconds, the response is 503 and nothing is
   * stored.
   * @default none: the trigger accepts no requests
   */
  receive?(request: TriggerRequest, context: ReceiveContextOf<Config, NoInfer<Connection>, NoInfer<Optional>>): Events;
  /**
   * Returns at most 1,000 new events of the source, with `more: true` if there are further ones. Stepwell calls it
   * every `config.interval` seconds, never concurrently for one trigger, and stores the events and the cursor together.
   * If the function throws, Stepwell retries with backoff.
   * @default none: the type does not poll
   */
  poll?(context: PollContext<ContextOf<Config, NoInfer<Connection>>>): PollResult | Promise<PollResult>;
  /**
   * Returns a sample event within 30 seconds. `stepwell.triggers.test` delivers it if the caller passes no data.
   * @default none: the caller must pass data
   */
  test?(): Sample | Promise<Sample>;
}): TriggerTypeOf<Name, Config, NoInfer<Connection>, NoInfer<Optional>>;
export function defineTrigger(type: AnyTriggerType): AnyTriggerType {
  checkTriggerType(type);
  return type;
}

/** A trigger type that {@link defineTrigger} returned. */
export interface TriggerTypeOf<
  Name extends string,
  Config extends StandardSchemaV1,
  Connection extends StandardSchemaV1 | undefined = undefined,
  Optional extends boolean = false,
> {
  /** Name of the type in triggers. */
  readonly name: Name;
  /** Title for people. */
  readonly title?: string;
  /** Schema of the settings of the type. */
  readonly config: Config;
  /** Schema of the credentials; absent if the type needs no connection. */
  readonly connection?: Connection;
  /** Whether triggers may have no connection. */
  readonly connectionOptional?: Optional;
  /** Turns a request into events. */
  receive?(request: TriggerRequest, context: ReceiveContextOf<Config, Connection, Optional>): Events;
  /** Returns new events of the source. */
  poll?(context: PollContext<ContextOf<Config, Connection>>): PollResult | Promise<PollResult>;
  /** Returns a sample event. */
  test?(): Sample | Promise<Sample>;
}

const NAME = /^[\w-]{1,64}$/;

const FIELDS = Object.keys({
  name: true,
  title: true,
  config: true,
  connection: true,
  connectionOptional: true,
  receive: true,
  poll: true,
  test: true,
} satisfies Record<keyof AnyTriggerType, true>);

/** Validates the definition, because JavaScript programs can pass anything. @throws TypeError */
export function checkTriggerType(type: Partial<AnyTriggerType>): void {
  const { name, config, connection, connectionOptional = false, receive, poll, test } = type;
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new TypeError(
      `${JSON.stringify(name)} is not a valid name of a trigger type: it must be 1 to 64 letters, digits, "_" and "-".`,
    );
  }
  const what = `The trigger type ${JSON.stringify(name)}`;
  rejectUnknownFields(what, type, FIELDS);
  const wrong = (why: string) => new TypeError(`${what} ${why}.`);
  if (!isSchema(config)) throw wrong("must have a Standard Schema as config");
  if (connection !== undefined && !isSchema(connection)) throw wrong("must have a Standard Schema as connection");
  if (typeof connectionOptional !== "boolean") throw wrong("must have a boolean as connectionOptional");
  if (connectionOptional && (connection === undefined || receive === undefined))
    throw wrong("must have a connection and a receive function if connectionOptional is true");
  if (receive === undefined && poll === undefined) throw wrong("must have a receive or a poll function");
  if (receive !== undefined && typeof receive !== "function") throw wrong("must have a function as receive");
  if (poll !== undefined && typeof poll !== "function") throw wrong("must have a function as poll");
  if (test !== undefined && typeof test !== "function") throw wrong("must have a function as test");
}

function isSchema(schema: Partial<StandardSchemaV1> | undefined): boolean {
  return typeof schema?.["~standard"]?.validate === "function";
}
