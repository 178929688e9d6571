/** What a service is: actions with schemas, and what they are called with. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Api } from "../api/api.ts";
import type { GuardedFetch } from "../ports/fetch.ts";

/** What an action is called with beside its arguments. */
export interface ActionContext {
  readonly app_id: string;
  readonly run_id: string;
  readonly step_key: string;
  /** `run/step/iteration`: the same for every try of a step, also after a crash. Pass it on to what must happen once. */
  readonly idempotencyKey: string;
  /**
   * Aborts when the run is canceled or fails, or when time is up. Pass it on to whatever takes long. An action that
   * ignores it is not stopped: it goes on beside the next try or the next run, since its place in `limits.concurrentRuns` is free
   * again, and what it gives then is dropped.
   */
  readonly signal: AbortSignal;
  /** For addresses that users supply: reaches nothing private. Pass the signal on to it. */
  readonly fetch: GuardedFetch;
  /** Adds lines to the step's logs. */
  log(...lines: readonly string[]): void;
  /** The service functions. They may do everything, in every app: what they do should stay within `app_id`. */
  readonly stepwell: Api;
}

/** What an action of a service that needs a connection is called with. */
export interface ConnectedContext<Connection extends StandardSchemaV1> extends ActionContext {
  /**
   * The credentials of the step's connection. Texts of them are hidden in errors and in what is logged with `log`; what
   * the action gives is the action's own affair.
   */
  readonly connection: StandardSchemaV1.InferOutput<Connection>;
}

/** What a service asks of its connections; undefined where it needs none. */
export type ConnectionSchema = StandardSchemaV1 | undefined;

export type ContextOf<Connection extends ConnectionSchema> = Connection extends StandardSchemaV1
  ? ConnectedContext<Connection>
  : ActionContext;

export interface ActionSettings {
  readonly title?: string;
  readonly description?: string;
  /**
   * Attempts in all when it throws what may pass: a {@link RetryableError}, or that `context.fetch` or the storage could
   * not reach the other side. One that takes too long is tried again too. At most 100.
   * @default 3
   */
  readonly maxAttempts?: number;
  /**
   * Milliseconds that one attempt may take; at most a day.
   * @default 60,000
   */
  readonly timeoutMs?: number;
}

/** An action with its types. */
export interface ActionOf<
  Input extends StandardSchemaV1,
  Output extends StandardSchemaV1,
  Connection extends ConnectionSchema = undefined,
> extends ActionSettings {
  readonly input: Input;
  readonly output: Output;
  run(args: StandardSchemaV1.InferOutput<Input>, context: ContextOf<Connection>): unknown;
}

/** An action whatever its types. */
export interface AnyAction extends ActionSettings {
  readonly input: StandardSchemaV1;
  readonly output: StandardSchemaV1;
  run(args: never, context: ConnectedContext<StandardSchemaV1>): unknown;
}

/**
 * What lets its run wait instead of doing something, until a moment. Only what is built in: the moment is made out anew
 * whenever the run comes into memory, so it must follow from the arguments alone.
 */
export interface DelayAction extends Pick<ActionSettings, "title" | "description"> {
  readonly input: StandardSchemaV1;
  readonly output: StandardSchemaV1;
  /** Milliseconds since 1970. @param ready When the step became ready */
  until(args: never, ready: number): number;
}

/** Actions of hosts carry no mark of their own: a delay is known by its `until`. */
export function isDelay(action: AnyAction | DelayAction): action is DelayAction {
  return "until" in action;
}

/** What steps can name of a service. */
export interface Offering {
  readonly name: string;
  readonly title?: string;
  readonly connection?: StandardSchemaV1 | undefined;
  readonly actions: Readonly<Record<string, AnyAction | DelayAction>>;
}

/** A service whatever its types. */
export interface AnyService extends Offering {
  /** As steps name it. */
  readonly name: string;
  readonly title?: string;
  /** What its connections hold; left out, it needs none. */
  readonly connection?: StandardSchemaV1 | undefined;
  readonly actions: Readonly<Record<string, AnyAction>>;
}
