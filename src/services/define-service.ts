/** Services of the host: actions with schemas that service steps call. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { checkService } from "./check-service.ts";
import type { ActionOf, ActionSettings, AnyService, ConnectionSchema, ContextOf } from "./service.ts";

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
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: { retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.retryAfterMs = details.retryAfterMs;
  }
}
