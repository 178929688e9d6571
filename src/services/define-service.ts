/** Services of the host: actions with schemas that service steps call. DESIGN 1 and 5.5. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Api } from "../api/api.ts";
import type { GuardedFetch } from "../ports/fetch.ts";
import { checkService } from "./check-service.ts";

/** What an action is called with beside its arguments. */
export interface ActionContext {
  readonly app_id: string;
  readonly run_id: string;
  readonly step_key: string;
  /** `run/step/iteration`: the same for every try of a step, also after a crash. Pass it on to what must happen once. */
  readonly idempotencyKey: string;
  /**
   * Aborts when the run is canceled or fails, or when time is up. Pass it on to whatever takes long. An action that
   * ignores it is not stopped: it goes on beside the next try or the next run, since its place in `limits.runs` is free
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
type ConnectionSchema = StandardSchemaV1 | undefined;

type ContextOf<Connection extends ConnectionSchema> = Connection extends StandardSchemaV1
  ? ConnectedContext<Connection>
  : ActionContext;

export interface ActionSettings {
  readonly title?: string;
  readonly description?: string;
  /**
   * Tries in all when it throws what may pass: a {@link RetryableError}, or that `context.fetch` or the storage could
   * not reach the other side. One that takes too long is tried again too. At most 100.
   * @default 3
   */
  readonly tries?: number;
  /**
   * Milliseconds that one try may take; a day at the most.
   * @default 60,000
   */
  readonly timeout?: number;
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
export interface Pause extends Pick<ActionSettings, "title" | "description"> {
  readonly input: StandardSchemaV1;
  readonly output: StandardSchemaV1;
  /** Milliseconds since 1970. @param ready When the step became ready */
  until(args: never, ready: number): number;
}

/** What steps can name of a service. */
export interface Offering {
  readonly name: string;
  readonly title?: string;
  readonly connection?: StandardSchemaV1 | undefined;
  readonly actions: Readonly<Record<string, AnyAction | Pause>>;
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

type Schemas = Readonly<Record<string, StandardSchemaV1>>;
type Given<Output extends StandardSchemaV1> = StandardSchemaV1.InferInput<Output>;

/** Two maps over the same actions, so that the types of arguments and results are inferred apart. */
type ActionsGiven<Inputs extends Schemas, Outputs extends Schemas, Connection extends ConnectionSchema> = {
  readonly [Name in keyof Inputs]: ActionSettings & {
    /**
     * Any Standard Schema: valibot, zod, arktype … It is given plain JSON. A deployment checks with it what a step says
     * outright, a run everything.
     */
    readonly input: Inputs[Name];
    run(args: StandardSchemaV1.InferOutput<Inputs[Name]>, context: ContextOf<Connection>): unknown;
  };
} & {
  readonly [Name in keyof Outputs]: {
    /** Any Standard Schema of plain JSON: what `run` gives is held against it and becomes the step's output. */
    readonly output: Outputs[Name];
    // The arguments are typed above.
    run(args: never, context: never): Given<Outputs[Name]> | Promise<Given<Outputs[Name]>>;
  };
};

/**
 * Declares a service. Arguments and results of its actions are typed by their schemas, and so are the service steps
 * that `workflows.create` and `putDraft` take of a service that is given at construction.
 *
 * Names are of letters, digits, `_` and `-`, 64 at the most.
 *
 * @throws TypeError for a name that cannot be one, for no actions, and for what is no action or no schema
 *
 * @example
 * ```ts
 * const invoices = defineService({
 *   name: "invoices",
 *   actions: {
 *     send: {
 *       title: "Send an invoice",
 *       input: v.object({ to: v.string(), amount: v.number() }),
 *       output: v.object({ number: v.string() }),
 *       async run({ to, amount }, { idempotencyKey, signal }) {
 *         return { number: await billing.send(to, amount, { key: idempotencyKey, signal }) };
 *       },
 *     },
 *   },
 * });
 * const stepwell = createStepwell({ services: [invoices] });
 * ```
 */
export function defineService<
  const Name extends string,
  Inputs extends Schemas,
  Outputs extends Schemas,
  Connection extends ConnectionSchema = undefined,
>(service: {
  readonly name: Name;
  readonly title?: string;
  /**
   * Any Standard Schema of an object: the credentials that an app must have stored as a connection before its steps can
   * call the service. Each call is given them as `context.connection`.
   */
  readonly connection?: Connection;
  readonly actions: ActionsGiven<Inputs, Outputs, Connection>;
}): ServiceOf<Name, Inputs, Outputs, NoInfer<Connection>>;
export function defineService(service: AnyService): AnyService {
  checkService(service);
  return service;
}

/** A service with its types. */
export interface ServiceOf<
  Name extends string,
  Inputs extends Schemas,
  Outputs extends Schemas,
  Connection extends ConnectionSchema = undefined,
> {
  readonly name: Name;
  readonly title?: string;
  readonly connection?: Connection;
  readonly actions: {
    readonly [Action in keyof Inputs & keyof Outputs & string]: ActionOf<Inputs[Action], Outputs[Action], Connection>;
  };
}

/** Thrown by an action: trying again may help. */
export class RetryableError extends Error {
  override readonly name = "RetryableError";
  /** Milliseconds to wait before the next try, where the other side said so. */
  readonly retryAfter: number | undefined;

  constructor(message: string, details: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.retryAfter = details.retryAfter;
  }
}
