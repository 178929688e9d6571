/** An action of a service of the host: what it takes and gives is held against its schemas. DESIGN 5.5. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { copyOf, isRecord, type JsonObject, type JsonValue, pointer } from "../../json.ts";
import { type ActionContext, type AnyAction, RetryableError } from "../../services/define-service.ts";
import type { Evaluate } from "../cel.ts";
import { asStepError, StepError } from "../step-error.ts";
import {
  type Attempt,
  type Effect,
  type Effects,
  MINUTE,
  type Path,
  type Problem,
  type StepKind,
} from "../step-kind.ts";
import { hasTemplate } from "../template.ts";

/** Wrong fields that are told of one input or output. */
const TOLD = 5;

export const service: StepKind<"service"> = {
  compile(step, compiler) {
    const { service, action: name, input, connection_id } = step.service;
    const evaluate = compiler.template(input, ["service", "input"]);
    // Expressions give the outputs of steps themselves, which are not the action's to change.
    const rendered: Evaluate = templatesIn(input, []).length === 0 ? evaluate : (scope) => copyOf(evaluate(scope));
    if (connection_id !== undefined) {
      const message = "Connections are not available in this release; leave it out.";
      compiler.problem(["service", "connection_id"], message);
    }
    const found = compiler.action(service, name);
    if ("unknown" in found) {
      compiler.problem(["service", found.unknown], found.message);
      return { kind: "wait" };
    }
    const { action } = found;
    const title = `${service}.${name}`;
    compiler.whenDeployed(() => constantProblems(action, input));
    return callOf(action, title, step.key, rendered);
  },
};

/** @param input What the action is given: to be its own, it may change it. */
export function callOf(action: AnyAction, title: string, stepKey: string, input: Evaluate): Effect {
  return {
    kind: "effect",
    tries: action.tries ?? 3,
    timeout: action.timeout ?? MINUTE,
    isShared: true,
    run: (scope, attempt, effects) =>
      perform(action, title, input(scope), contextOf(stepKey, attempt, effects)) as JsonValue, // held to be JSON by the attempt
  };
}

/** Schemas and actions may be async; what is at hand already is not waited for. */
function perform(action: AnyAction, title: string, input: JsonValue, context: ActionContext): unknown {
  const start = (args: unknown) => action.run(args as never, context); // the schema says that it takes them
  const finish = (given: unknown) =>
    checked(action.output, given, (issues) =>
      refused("invalid_output", `${title} gave what its output is not`, issues),
    );
  try {
    const args = checked(action.input, input, (issues) =>
      refused("invalid_input", `The input is not what ${title} takes`, issues),
    );
    const output = next(next(args, start), finish);
    return isThenable(output) ? Promise.resolve(output).catch(fail) : output;
  } catch (error) {
    return fail(error);
  }
}

function contextOf(stepKey: string, attempt: Attempt, effects: Effects): ActionContext {
  return {
    app_id: attempt.app_id,
    run_id: attempt.run_id,
    step_key: stepKey,
    idempotencyKey: attempt.idempotencyKey,
    get signal() {
      return attempt.signal;
    },
    fetch: effects.fetch,
    log: (...lines) => attempt.log(...lines.map(String)),
    get stepwell() {
      return effects.stepwell();
    },
  };
}

type Issues = readonly StandardSchemaV1.Issue[];

/** What the schema makes of a value, perhaps later. */
function checked(schema: StandardSchemaV1, value: unknown, refuse: (issues: Issues) => StepError): unknown {
  return next(schema["~standard"].validate(value), (result) => {
    if (result.issues) throw refuse(result.issues);
    return result.value;
  });
}

function refused(code: string, what: string, issues: Issues): StepError {
  const told = issues
    .slice(0, TOLD)
    .map(({ path, message }) => `${pointer(plainPath(path)) || "all of it"}: ${message}`);
  const more = issues.length > TOLD ? ` (and ${issues.length - TOLD} more)` : "";
  return new StepError(code, `${what}: ${told.join("; ")}${more}`);
}

function plainPath(path: StandardSchemaV1.Issue["path"] = []): Path {
  return path.map((part) => {
    const key = typeof part === "object" ? part.key : part;
    return typeof key === "number" ? key : String(key);
  });
}

/** What the schema says of the parts of an input that no expression will fill in. */
async function constantProblems({ input: schema }: AnyAction, input: JsonObject): Promise<Problem[]> {
  const at = ["service", "input"] as const;
  try {
    const templates = templatesIn(input, []).map(pointer);
    // A schema may change what it checks; the definition is shared.
    const { issues } = await schema["~standard"].validate(structuredClone(input));
    return (issues ?? [])
      .map(({ path, message }) => ({ path: plainPath(path), message }))
      .filter(({ path }) => !templates.some((template) => isOneLine(template, pointer(path))))
      .map(({ path, message }) => ({ path: [...at, ...path], message }));
  } catch (error) {
    return [{ path: at, message: `The schema of the action could not check it: ${failure(error).message}` }];
  }
}

function templatesIn(value: JsonValue, path: Path): Path[] {
  if (typeof value === "string") return hasTemplate(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => templatesIn(item, [...path, index]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => templatesIn(item, [...path, key]));
}

/** Whether one is the other, or within it. */
function isOneLine(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

function fail(error: unknown): never {
  throw failure(error);
}

/** Anything that the host's code may throw. */
function failure(error: unknown): StepError {
  const known = asStepError(error);
  if (!(error instanceof RetryableError)) return known;
  const { retryAfter } = error;
  return new StepError(known.code, known.message, {
    retryable: true,
    ...(retryAfter !== undefined && retryAfter >= 0 ? { retryAfter } : {}),
    cause: error,
  });
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Goes on with a value now, or with what a promise becomes. */
function next<T>(value: T | PromiseLike<T>, then: (value: T) => unknown): unknown {
  return isThenable(value) ? Promise.resolve(value).then(then) : then(value);
}
