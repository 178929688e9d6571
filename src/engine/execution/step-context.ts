/** What a step does when it runs, and what it is given for that. Types only. */
import type { OpenConnection } from "../../connections/connections.ts";
import type { ExtractContents } from "../../files/extract-contents.ts";
import type { ReadFile } from "../../files/read-file.ts";
import type { JsonValue } from "../../json.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import type { DescribeWorkflow } from "../../runs/describe-workflow.ts";
import type { ActionContext } from "../../services/service.ts";
import type { Evaluate } from "../expressions/cel.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import type { Outcome } from "../state/step-state.ts";

/** What an effect may use. */
export interface Effects {
  /** Milliseconds since 1970, by the clock. */
  now(): number;
  readonly fetch: GuardedFetch;
  readonly readFile: ReadFile;
  readonly describeWorkflow: DescribeWorkflow;
  /** What stands in a file of the app, for `extract_contents` and `extract_images`. */
  readonly fileContents: ExtractContents;
  /** Runs a workflow of the same app and gives its output. @throws StepError `child_failed` */
  runChild(call: ChildCall): Promise<JsonValue>;
  /** The credentials of a connection of the app, for an action of its service. */
  readonly openConnection: OpenConnection;
  /** The service functions, for actions of a run within so many others. */
  stepwell(depth: number): ActionContext["stepwell"];
}

export interface ChildCall {
  readonly attempt: Attempt;
  readonly workflow_id: string;
  readonly version: string;
  readonly input: JsonValue;
  readonly step_key: string | undefined;
}

/** One try of a step. */
export interface Attempt {
  readonly app_id: string;
  readonly run_id: string;
  /** The run furthest above, or this one. */
  readonly root_run_id: string;
  readonly depth: number;
  /** `run/step/iteration`: the same for every try, also after a crash. */
  readonly idempotencyKey: string;
  /** Ends when the step is to stop: the run was canceled or failed, or time is up. */
  readonly signal: AbortSignal;
  /** For the reader of the run. */
  log(lines: readonly string[]): void;
  /** Tells those who follow the run what the step is writing, piece by piece; kept nowhere. */
  emitDelta(text: string): void;
  /**
   * Carries out a part of the step, with tries and a time of its own, and settles when its outcome is stored: the same
   * name gives the same outcome from then on, also after a crash, until the step has settled. Its idempotency key is
   * that of the step with the name behind it.
   * Rejects only with why the step is to stop; a part that fails says so in its outcome.
   */
  runSubstep(part: Substep): Promise<Outcome>;
}

/** A part of a step that does one thing after another, each of which must not be done twice. */
export interface Substep extends Effect {
  /** Unique within the step; of small letters, digits and dots. */
  readonly name: string;
}

export type RunSubstep = (part: Substep, within: Attempt) => Promise<Outcome>;

/** What is known from the journal alone: done at once, and done again after a crash instead of being stored. */
export interface Pure {
  readonly kind: "pure";
  readonly evaluate: Evaluate;
}

/** What touches the world or takes time: its outcome is stored before anything that depends on it starts. */
export interface Effect {
  readonly kind: "effect";
  /** Tries in all. */
  readonly maxAttempts: number;
  /** Milliseconds that one try may take. */
  readonly timeoutMs: number;
  /** Whether others may hold what it gives, and change it: then it is copied. */
  readonly isShared?: true;
  /** Whether what it gives was made of JSON for it alone, and found right: large outputs take long to go through again. */
  readonly isPlain?: true;
  /** Whether it only waits for another run: a process that closes does not wait for it. */
  readonly isChildRun?: true;
  /** What took too long, in the error that says so. Left out, `The step`. */
  readonly label?: string;
  /** What is at hand already is given as it is: a promise costs more than many an action. */
  run(scope: ExpressionScope, attempt: Attempt, effects: Effects): JsonValue | Promise<JsonValue>;
}

/** What somebody else has to give, or time. */
export interface Wait {
  readonly kind: "wait";
  /** When the step goes on by itself, by what it sees; a function of that alone. Left out: when somebody provides. */
  readonly wakeUp?: (scope: ExpressionScope) => WakeUp;
}

/** A moment that a step waits for. */
export interface WakeUp {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What the step then gives. */
  readonly output: JsonValue;
}

export type Executable = Pure | Effect | Wait;
