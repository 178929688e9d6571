/** Services: actions with schemas, and the context that actions receive. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Api } from "../api/api.ts";
import type { WaitInput } from "../app-events/wait-input.ts";
import type { GuardedFetch } from "../ports/fetch.ts";

/** The second argument of an action. */
export interface ActionContext {
  /** App that owns the run. */
  readonly app_id: string;
  /** Id of the run. */
  readonly run_id: string;
  /** Key of the step that calls the action. */
  readonly step_key: string;
  /**
   * `run/step/iteration`: the same for every attempt of a step, even after a crash. Pass it to APIs that support
   * idempotency keys. After a retry of the run, a step that was canceled in progress keeps its key, unless it has
   * `loop` or `auto`. A failed step gets a new key, `run/step/iteration/retry`, so that an API doesn't replay the
   * stored failure. Each tool call of a model gets its own key.
   */
  readonly idempotencyKey: string;
  /**
   * Aborts when the run is canceled or fails, and when the attempt times out. Pass it to every slow call. Stepwell
   * cannot stop an action that ignores it: it frees the slot in `limits.concurrentRuns` and discards the result, while
   * the action continues in parallel to the next attempt or run.
   */
  readonly signal: AbortSignal;
  /** Fetches user-supplied URLs. Refuses addresses that the option `net` does not permit. Pass `signal` to it. */
  readonly fetch: GuardedFetch;
  /** Appends lines to the logs of the step. */
  log(...lines: readonly string[]): void;
  /** The functions of `stepwell.*`. They can access every app: pass `app_id` unless you mean another one. */
  readonly stepwell: Api;
}

/** The second argument of an action whose service needs a connection. */
export interface ConnectedContext<Connection extends StandardSchemaV1> extends ActionContext {
  /**
   * Credentials of the step's connection. Stepwell hides their strings in errors and in lines of `log`, but not in the
   * result of the action.
   */
  readonly connection: StandardSchemaV1.InferOutput<Connection>;
}

/** Schema of a service's credentials; undefined if it needs no connection. */
export type ConnectionSchema = StandardSchemaV1 | undefined;

export type ContextOf<Connection extends ConnectionSchema> = Connection extends StandardSchemaV1
  ? ConnectedContext<Connection>
  : ActionContext;

/** Settings of an action. */
export interface ActionSettings {
  /** Title for people. @default none */
  readonly title?: string;
  /** What the action does, for people and models. @default none */
  readonly description?: string;
  /**
   * Maximum attempts, from 1 to 100. Stepwell retries an action after a {@link RetryableError}, a timeout, and a
   * connection failure of `context.fetch` or the storage.
   * @default 3
   */
  readonly maxAttempts?: number;
  /**
   * Timeout of one attempt in milliseconds, from 1 to 86,400,000 (24 hours).
   * @default 60,000
   */
  readonly timeoutMs?: number;
}

/** An action with the types of its arguments and result. */
export interface ActionOf<
  Input extends StandardSchemaV1,
  Output extends StandardSchemaV1,
  Connection extends ConnectionSchema = undefined,
> extends ActionSettings {
  /** Schema of the arguments. */
  readonly input: Input;
  /** Schema of the result. */
  readonly output: Output;
  /** Executes the action. */
  run(args: StandardSchemaV1.InferOutput<Input>, context: ContextOf<Connection>): unknown;
}

/** An action of any type. */
export interface AnyAction extends ActionSettings {
  /** Schema of the arguments. */
  readonly input: StandardSchemaV1;
  /** Schema of the result. */
  readonly output: StandardSchemaV1;
  /** Executes the action. */
  run(args: never, context: ConnectedContext<StandardSchemaV1>): unknown;
}

/**
 * An action that suspends its run until a point in time. Only built in: the time is computed again whenever the run is
 * loaded, so it must depend on the arguments alone.
 */
export interface DelayAction extends Pick<ActionSettings, "title" | "description"> {
  readonly input: StandardSchemaV1;
  readonly output: StandardSchemaV1;
  /** Milliseconds since 1970. @param ready When the step became ready. */
  until(args: never, ready: number): number;
}

/** Whether an action is a delay, which has `until` instead of `run`. */
export function isDelay(action: RegisteredAction): action is DelayAction {
  return "until" in action;
}

/** An action that suspends its run until an event arrives, or one that has arrived is found. Only built in. */
export interface EventWaitAction extends Pick<ActionSettings, "title" | "description"> {
  readonly input: typeof WaitInput;
  readonly output: StandardSchemaV1;
  readonly waits: "event";
}

/** Whether an action waits for an event. */
export function isEventWait(action: RegisteredAction): action is EventWaitAction {
  return "waits" in action;
}

/** An action of any service, built in or of the host. */
export type RegisteredAction = AnyAction | DelayAction | EventWaitAction;

/** What the registry needs of a service. */
export interface RegisteredService {
  readonly name: string;
  readonly title?: string;
  readonly connection?: StandardSchemaV1 | undefined;
  readonly connectionOptional?: boolean;
  readonly publicCredentials?: readonly string[];
  readonly actions: Readonly<Record<string, RegisteredAction>>;
}

/** A service of any type. */
export interface AnyService extends RegisteredService {
  /** Name of the service in steps. */
  readonly name: string;
  /** Title for people. */
  readonly title?: string;
  /** Schema of the credentials; absent if the service needs no connection. */
  readonly connection?: StandardSchemaV1 | undefined;
  /** Whether steps may omit the connection. */
  readonly connectionOptional?: boolean;
  /** Fields of the credentials that are not secret. */
  readonly publicCredentials?: readonly string[];
  /** Actions by name. */
  readonly actions: Readonly<Record<string, AnyAction>>;
  /** Called when the instance closes, after its steps have ended. @default nothing is called */
  readonly close?: () => Promise<void> | void;
}
