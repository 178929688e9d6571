/** defineService: services of the host, whose actions service steps call. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { checkService } from "./check-service.ts";
import type { ActionOf, ActionSettings, AnyService, ConnectionSchema, ContextOf } from "./service.ts";

type Schemas = Readonly<Record<string, StandardSchemaV1>>;
type ReturnValue<Output extends StandardSchemaV1> = StandardSchemaV1.InferInput<Output>;

/**
 * Two maps over the same actions, so that the compiler infers arguments and results separately. Each also requires the
 * schema that the other infers: the compiler then reports a missing schema at the action that lacks it.
 */
type ActionDefinitions<Inputs extends Schemas, Outputs extends Schemas, Connection extends ConnectionSchema> = {
  readonly [Name in keyof Inputs]: ActionSettings & {
    /**
     * Schema of the arguments: any Standard Schema (valibot, zod, arktype …). Deploying validates the constant
     * arguments of a step; each run validates all of them.
     */
    readonly input: Inputs[Name];
    readonly output: StandardSchemaV1; // documented below
    /** Executes the action. Throw a {@link RetryableError} for transient failures. */
    run(args: StandardSchemaV1.InferOutput<Inputs[Name]>, context: ContextOf<Connection>): unknown;
  };
} & {
  readonly [Name in keyof Outputs]: {
    readonly input: StandardSchemaV1; // documented above
    /** Schema of the result: any Standard Schema of plain JSON. The validated result is the output of the step. */
    readonly output: Outputs[Name];
    /** Executes the action. Throw a {@link RetryableError} for transient failures. */
    run(args: never, context: never): ReturnValue<Outputs[Name]> | Promise<ReturnValue<Outputs[Name]>>; // typed above
  };
};

/**
 * Defines a service. The schemas of its actions type their arguments and results. If you pass the service to
 * `createStepwell`, they also type the service steps that `workflows.create` and `putDraft` accept.
 *
 * Names have 1 to 64 letters, digits, `_` and `-`.
 *
 * @throws TypeError for an invalid name, an unknown field, a service without actions, and an invalid action or schema
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
  const Optional extends boolean = false,
>(service: {
  /** Name of the service in steps: 1 to 64 letters, digits, `_` and `-`. */
  readonly name: Name;
  /** Title for people. @default none */
  readonly title?: string;
  /**
   * Schema of the credentials: any Standard Schema of an object. Apps store them as a connection, and each call
   * receives them as `context.connection`.
   * @default none: the service needs no connection
   */
  readonly connection?: Connection;
  /**
   * Whether steps may omit the connection. `context.connection` is then undefined, which the schema must accept.
   * @default false
   */
  readonly connectionOptional?: Optional;
  /**
   * Names of credential fields that are not secret, such as a host name. Errors and logs show their values.
   * @default none: Stepwell redacts all strings of at least 4 characters and numbers of at least 6 digits
   */
  readonly publicCredentials?: readonly string[];
  /** Actions by name: 1 to 64 letters, digits, `_` and `-`. */
  readonly actions: ActionDefinitions<Inputs, Outputs, Connection>;
  /** Called when the instance closes, after its steps have ended: for connections that actions share. @default none */
  readonly close?: () => Promise<void> | void;
}): ServiceOf<Name, Inputs, Outputs, NoInfer<Connection>, Optional>;
export function defineService(service: AnyService): AnyService {
  checkService(service);
  return service;
}

/** A service that {@link defineService} returned, with the types of its actions. */
export interface ServiceOf<
  Name extends string,
  Inputs extends Schemas,
  Outputs extends Schemas,
  Connection extends ConnectionSchema = undefined,
  Optional extends boolean = false,
> {
  /** Name of the service in steps. */
  readonly name: Name;
  /** Title for people. */
  readonly title?: string;
  /** Schema of the credentials; absent if the service needs no connection. */
  readonly connection?: Connection;
  /** Whether steps may omit the connection. */
  readonly connectionOptional?: Optional;
  /** Fields of the credentials that are not secret. */
  readonly publicCredentials?: readonly string[];
  /** Actions by name. */
  readonly actions: {
    readonly [Action in keyof Inputs & keyof Outputs & string]: ActionOf<Inputs[Action], Outputs[Action], Connection>;
  };
  /** Called when the instance closes. */
  readonly close?: () => Promise<void> | void;
}

/**
 * Throw it from an action for transient failures: Stepwell retries the action, up to `maxAttempts`. For an error with a
 * code, throw an {@link ActionError}.
 */
export class RetryableError extends Error {
  /** Always `RetryableError`. */
  override readonly name = "RetryableError";
  /** Milliseconds to wait before the next attempt. Undefined for the default backoff. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    details: {
      /** Milliseconds to wait before the next attempt. @default the default backoff */
      retryAfterMs?: number | undefined;
      /** The error that caused this one, for logs. */
      cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.retryAfterMs = details.retryAfterMs;
  }
}
