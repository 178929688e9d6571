/** Validates values against an author's JSON Schema, with a limit on the work. */
import type { JsonObject, JsonValue } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import { loadPatterns } from "../expressions/bounded-patterns.ts";
import { createPace } from "../expressions/event-loop-pace.ts";
import { StepError } from "../step-error.ts";
import { createPatternBudget, schemaErrors } from "./schema-check.ts";
import { createPlans, hasPatterns, ownSchema } from "./schema-plan.ts";
import type { Steps } from "./schema-walk.ts";

/**
 * Returns one line for each error in a value, at most ten; none if it is valid.
 * @param signal Aborts the validation of a large value, which lets other work of the process continue in between.
 * @throws StepError `unusable_schema`: the schema is invalid, or takes too many operations for this value.
 */
export type CheckBySchema = (value: JsonValue, signal: AbortSignal) => Promise<readonly string[]>;

/** Prepares the check of a schema, which is compiled at the first value. */
export type CreateSchemaCheck = (schema: JsonObject) => CheckBySchema;

/** Maximum number of reported errors. */
const MAX_REPORTED_ERRORS = 10;
/** Operations of all checks in one turn of the event loop: 10 to 50 ms. */
const OPERATIONS_PER_TURN = 100_000;

/** The checks share the turns of the event loop. */
export function createSchemaChecks(clock: Clock): CreateSchemaCheck {
  let total = 0;
  const pace = createPace(() => total, clock, OPERATIONS_PER_TURN);
  const onOperations = (operations: number) => {
    total += operations;
  };

  async function inTurns<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      if (pace.isDue()) await pace.nextTurn();
      signal.throwIfAborted();
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  return (schema) => {
    let compiled: ReturnType<typeof compileSchema> | undefined;
    return async (value, signal) => {
      compiled ??= compileSchema(schema, onOperations);
      try {
        const errorsOf = await compiled;
        return (await inTurns(errorsOf(value), signal)).slice(0, MAX_REPORTED_ERRORS);
      } catch (cause) {
        signal.throwIfAborted();
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new StepError("unusable_schema", `The JSON Schema cannot be evaluated: ${reason}`, { cause });
      }
    };
  };
}

async function compileSchema(
  schema: JsonObject,
  onOperations: (operations: number) => void,
): Promise<(value: JsonValue) => Steps<string[]>> {
  const { dereference, validate } = await import("@cfworker/json-schema");
  const engine = hasPatterns(schema) ? await loadPatterns() : null;
  const own = ownSchema(schema);
  const planOf = createPlans(dereference(own), engine, createPatternBudget());
  return (value) => schemaErrors(own, value, { validate, planOf, onOperations });
}
