/** The step type `code`: users' JavaScript and TypeScript, executed only in the sandbox. */
import { type JsonValue, jsonProblem, omitUndefined, withoutUndefined } from "../../json.ts";
import { SandboxError } from "../../ports/sandbox.ts";
import { MINUTE_MS, SECOND_MS } from "../../time/units.ts";
import type { CodeRunner, Problem, StepImplementation } from "../compile/step-implementation.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import { problemsOfSchema } from "../model/validate-schema.ts";
import { keepJson } from "../state/large-values.ts";
import { invalidOutput, StepError } from "../step-error.ts";

/** Time limits of the check at deployment. If one is exceeded, errors are reported at run time instead. */
const PARSE_TIMEOUT_MS = 5 * SECOND_MS;
/** Also covers waiting for a thread and starting it, which takes long on a busy machine. */
const CHECK_TIMEOUT_MS = 30 * SECOND_MS;

export const code: StepImplementation<"code"> = {
  compile({ code, output: schema }, compiler) {
    const runner = compiler.code;
    compiler.readsAllSteps();
    if (code.trim() === "") compiler.warn(["code"], "There is no code: the step does nothing, and its output is null.");
    compiler.whenDeployed(() => problemsOf(code, runner));
    if (schema !== undefined) compiler.whenDeployed(() => problemsOfSchema(schema, ["output"]));
    const check = schema === undefined ? null : compiler.schemaCheck(schema);
    return {
      kind: "effect",
      maxAttempts: 1,
      isPlain: true,
      timeoutMs: Math.max(MINUTE_MS, 2 * runner.limits.timeoutMs),
      startsTimer: true,
      input: (scope) => globalsOf(scope) as unknown as JsonValue, // interfaces of JSON values have no index signature
      async run(scope, attempt) {
        const { app_id: tenant, signal } = attempt;
        const onStart = () => attempt.startTimer();
        const sandbox = await runner.sandbox();
        if (sandbox.reportsStart !== true) onStart();
        try {
          const { limits } = runner;
          const call = { code, globals: globalsOf(scope), limits, tenant, signal, onStart };
          const result = await sandbox.run(call);
          attempt.log(result.logs);
          // Both branches return JSON.
          const isPlain = sandbox.returnsPlainJson === true;
          const output = (isPlain ? result.value : plain(result.value)) as JsonValue;
          if (isPlain && result.json !== undefined) keepJson(output, result.json);
          const errors = (await check?.(output, signal)) ?? [];
          if (errors.length > 0) throw mismatch(errors);
          return output;
        } catch (error) {
          if (error instanceof SandboxError) throw new StepError(error.code, error.message, { logs: error.logs });
          throw error;
        }
      },
    };
  },
};

/** The result is not what the step declares as its output. */
function mismatch(errors: readonly string[]): StepError {
  const message = `The returned value does not match the output that the step declares: ${errors.join(" ")}`;
  return new StepError("invalid_output", message);
}

/** What expressions see, as JSON: `now` is a text in ISO 8601. */
function globalsOf({ input, steps, run, app, now, iteration, previous, item, index }: ExpressionScope) {
  const repeated = omitUndefined({ iteration, previous, item, index });
  return { input, steps, run, app, now: now.toISOString(), ...repeated };
}

/** Checks the result of a host's own sandbox, which may return anything. */
function plain(value: unknown): unknown {
  const problem = jsonProblem(value);
  if (problem === null) return withoutUndefined(value);
  throw invalidOutput(problem);
}

/** Reports only errors in the code itself. Timeouts are ignored: parsing time also depends on the machine's load. */
async function problemsOf(code: string, { sandbox, limits }: CodeRunner): Promise<readonly Problem[]> {
  try {
    const checkLimits = { ...limits, timeoutMs: Math.max(limits.timeoutMs, PARSE_TIMEOUT_MS) };
    await (await sandbox()).check?.({ code, limits: checkLimits, signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
    return [];
  } catch (error) {
    const isCodeError = error instanceof SandboxError && error.code !== "canceled" && error.limit !== "timeoutMs";
    return isCodeError ? [{ path: ["code"], message: error.message }] : [];
  }
}
