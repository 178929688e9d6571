/** The step type `service`: calls an action of a service. Schemas validate its input and output. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { OpenedConnection } from "../../connections/connections.ts";
import { MAX_ERRORS } from "../../errors.ts";
import { copyOf, isRecord, type JsonObject, type JsonValue } from "../../json.ts";
import { plainPath } from "../../messages/field-errors.ts";
import { issueText } from "../../messages/issue-sentence.ts";
import { jsonSchemaOf } from "../../services/action-schema.ts";
import { RetryableError } from "../../services/define-service.ts";
import type { Found } from "../../services/registry.ts";
import {
  type ActionContext,
  type AnyAction,
  type ConnectedContext,
  isDelay,
  isEventWait,
} from "../../services/service.ts";
import { MINUTE_MS } from "../../time/units.ts";
import type { Path, Problem, StepCompiler, StepImplementation } from "../compile/step-implementation.ts";
import type { Attempt, Effect, Effects } from "../execution/step-context.ts";
import type { Evaluate } from "../expressions/cel.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { hasTemplate } from "../expressions/template.ts";
import { onDemand } from "../lazy-properties.ts";
import { asStepError, isInstance, StepError } from "../step-error.ts";
import { compileEventWait } from "./compile-event-wait.ts";
import { compileDelay } from "./delay.ts";
import { hideInDetails, type Issues, invalidInputError, invalidOutputError } from "./service-errors.ts";
import { unknownFields } from "./unknown-action-fields.ts";

export const service: StepImplementation<"service"> = {
  compile(step, compiler) {
    const { service, action: name, input, connection_id } = step.service;
    const found = compiler.action(service, name);
    if (!found.isKnown) {
      compiler.problem(["service", found.unknown], found.message);
      return { kind: "wait" };
    }
    const { action } = found;
    compiler.whenDeployed(() => constantProblems(action.input, input));
    const connection = compileConnection(service, found, connection_id, compiler, ["service"]);
    if (isEventWait(action)) return compileEventWait(action, `${service}.${name}`, input, compiler);
    const evaluate = compiler.template(input, ["service", "input"]);
    // Copy, because expressions may return the outputs of other steps, which the action must not change.
    const rendered: Evaluate = templatesIn(input).has(input) ? (scope) => copyOf(evaluate(scope)) : evaluate;
    if (isDelay(action)) return compileDelay(action, `${service}.${name}`, rendered);
    const { publicCredentials } = found;
    const call = callOf({ action, service, name, connection, publicCredentials }, step.key, rendered);
    return connection === undefined ? call : { ...call, connection: { service, idOf: connection, publicCredentials } };
  },
};

/** Evaluates to the ID of a call's connection. */
export type ConnectionOf = (scope: ExpressionScope) => string;

/** Compiles the connection of a call. The deployment checks that the app has it, and so does each call. */
export function compileConnection(
  service: string,
  { needsConnection, takesConnection }: Found,
  connectionId: string | undefined,
  compiler: StepCompiler,
  path: Path,
): ConnectionOf | undefined {
  const at = [...path, "connection_id"];
  if (connectionId === undefined) {
    if (!needsConnection) return undefined;
    compiler.problem(at, `Is required: the service ${service} needs a connection.`);
    return () => {
      // The version was deployed before the service required a connection.
      throw new StepError(
        "invalid",
        `The service ${service} needs a connection. Set connection_id and deploy the workflow again.`,
      );
    };
  }
  if (!takesConnection) compiler.problem(at, `Must be omitted: the service ${service} does not use a connection.`);
  return compiler.text(connectionId, at);
}

/** A call of an action by a step or a model. */
export interface ActionCall {
  readonly action: AnyAction;
  readonly service: string;
  readonly name: string;
  /** Undefined if the service needs none. */
  readonly connection: ConnectionOf | undefined;
  /** Fields of the credentials that are not secret. */
  readonly publicCredentials: readonly string[];
}

/** @param input Evaluates to the input. It must be a copy, because the action may change it. */
export function callOf(call: ActionCall, stepKey: string, input: Evaluate): Effect {
  const { action, connection } = call;
  return {
    kind: "effect",
    maxAttempts: action.maxAttempts ?? 3,
    timeoutMs: action.timeoutMs ?? MINUTE_MS,
    input,
    run(scope, attempt, effects) {
      const context = contextOf(stepKey, attempt, effects);
      const args = input(scope);
      const output =
        connection === undefined
          ? perform(call, args, context)
          : performConnected(
              call,
              args,
              context,
              effects.openConnection(attempt.app_id, connection(scope), call.service, call.publicCredentials),
            );
      return output as JsonValue; // the attempt checks that it is JSON
    },
  };
}

/** Calls an action with credentials, which are redacted from logs and errors. */
async function performConnected(
  call: ActionCall,
  input: JsonValue,
  context: ActionContext,
  opening: Promise<OpenedConnection>,
): Promise<unknown> {
  const { credentials, hide } = await opening;
  const connected: ConnectedContext<StandardSchemaV1> = {
    ...context,
    connection: credentials,
    log: (...lines) => context.log(...lines.map((line) => hide(String(line)))),
  };
  try {
    return await perform(call, input, connected);
  } catch (error) {
    const { code, message, retryable, retryAfterMs, details } = failure(error);
    throw new StepError(code, hide(message), {
      retryable,
      retryAfterMs,
      details: details && hideInDetails(details, hide),
    });
  }
}

/**
 * Validates, calls and validates again. Schemas and actions may be synchronous or asynchronous; synchronous results
 * skip promises.
 */
function perform({ action, service, name }: ActionCall, input: JsonValue, context: ActionContext): unknown {
  const title = `${service}.${name}`;
  // Validated by the action's schema; the service checks the connection.
  const start = (args: unknown) => action.run(args as never, context as never);
  const finish = (result: unknown) => validate(action.output, result, (issues) => invalidOutputError(title, issues));
  try {
    const args = validate(action.input, input, (issues) => invalidInputError(title, issues));
    const output = next(next(args, start), finish);
    return isThenable(output) ? Promise.resolve(output).catch(fail) : output;
  } catch (error) {
    return fail(error);
  }
}

function contextOf(stepKey: string, attempt: Attempt, effects: Effects): ActionContext {
  const own = {
    app_id: attempt.app_id,
    run_id: attempt.run_id,
    step_key: stepKey,
    idempotencyKey: attempt.idempotencyKey,
    fetch: effects.fetch,
    log: (...lines: readonly string[]) => attempt.log(lines.map(String)),
  };
  const { run_id, root_run_id, depth } = attempt;
  const step = { run_id, step_key: stepKey, nesting: { depth, root_run_id } };
  return onDemand(own, { signal: () => attempt.signal, stepwell: () => effects.stepwell(step) });
}

/** Validates a value, synchronously if the schema does. */
function validate(schema: StandardSchemaV1, value: unknown, toError: (issues: Issues) => StepError): unknown {
  return next(schema["~standard"].validate(value), (result) => {
    if (result.issues) throw toError(result.issues);
    return result.value;
  });
}

/** Returns schema errors in the parts of an input that contain no expressions, and unknown fields in all of it. */
async function constantProblems(schema: StandardSchemaV1, input: JsonObject): Promise<Problem[]> {
  const at = ["service", "input"] as const;
  try {
    const templates = templatesIn(input);
    // Clone, because a schema may change the value and the definition is shared.
    const { issues = [] } = await schema["~standard"].validate(structuredClone(input));
    const problems: Problem[] = [];
    for (const issue of issues) {
      if (problems.length > MAX_ERRORS) break;
      const path = plainPath(issue.path);
      if (!isFilledIn(path, input, templates)) problems.push({ path: [...at, ...path], message: issueText(issue) });
    }
    if (!templates.has(input)) return problems;
    const known = new Set(problems.map(({ path }) => JSON.stringify(path)));
    for (const problem of unknownFields((await jsonSchemaOf(schema)) ?? undefined, input, at)) {
      if (problems.length > MAX_ERRORS) break;
      if (!known.has(JSON.stringify(problem.path))) problems.push(problem);
    }
    return problems;
  } catch (error) {
    return [
      {
        path: at,
        message: `Could not be validated: the input schema of the action threw an error: ${failure(error).message}`,
      },
    ];
  }
}

/** Returns all objects and arrays that contain an expression at any depth. */
function templatesIn(root: JsonObject): ReadonlySet<JsonValue> {
  const found = new Set<JsonValue>();
  const visit = (value: JsonValue): boolean => {
    if (typeof value === "string") return hasTemplate(value);
    if (typeof value !== "object" || value === null) return false;
    let isFound = false;
    for (const item of Object.values(value)) if (visit(item)) isFound = true;
    if (isFound) found.add(value);
    return isFound;
  };
  visit(root);
  return found;
}

/** Whether the value at a path contains expressions, or is inside one's value. */
function isFilledIn(path: Path, root: JsonObject, templates: ReadonlySet<JsonValue>): boolean {
  let value: JsonValue | undefined = root;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isRecord(value)) value = Object.hasOwn(value, key) ? value[key] : undefined;
    else break;
  }
  if (value === undefined) return false;
  return typeof value === "string" ? hasTemplate(value) : templates.has(value);
}

function fail(error: unknown): never {
  throw failure(error);
}

/** Converts anything that the host's code throws. */
function failure(error: unknown): StepError {
  const known = asStepError(error);
  if (!isInstance(error, RetryableError)) return known;
  const { retryAfterMs } = error;
  return new StepError(known.code, known.message, {
    retryable: true,
    retryAfterMs: typeof retryAfterMs === "number" && retryAfterMs >= 0 ? retryAfterMs : undefined,
    cause: error,
  });
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Continues immediately with a value, or when a promise resolves. */
function next<T>(value: T | PromiseLike<T>, then: (value: T) => unknown): unknown {
  return isThenable(value) ? Promise.resolve(value).then(then) : then(value);
}
