/** What a step type is: how a step of it is compiled, and what it then does. */
import type { OpenConnection } from "../../connections/connections.ts";
import type { ExtractContents } from "../../files/extract-contents.ts";
import type { ReadFile } from "../../files/read-file.ts";
import type { JsonValue } from "../../json.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import type { Models } from "../../ports/models.ts";
import type { Sandbox, SandboxLimits } from "../../ports/sandbox.ts";
import type { DescribeWorkflow } from "../../runs/describe-workflow.ts";
import type { Services } from "../../services/registry.ts";
import type { ActionContext } from "../../services/service.ts";
import type { InputDefinition } from "../../workflows/input/input-field.ts";
import type { StepOf, StepType } from "../../workflows/step.ts";
import type { Evaluate } from "../expressions/cel.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import type { Outcome } from "../state/step-state.ts";
import type { StepError } from "../step-error.ts";
import type { WebPages } from "../steps/web-page.ts";

export type Path = readonly (string | number)[];

/** What a step type compiles its fields with. A problem does not stop it: all are told at once. */
export interface StepCompiler {
  /** An expression in the field at this path inside the step. */
  expression(text: string, path: Path): Evaluate;
  /** Any JSON in whose texts `{{ }}` may stand; a text that is one expression and nothing else gives its value. */
  template(value: JsonValue, path: Path): Evaluate;
  /** A text with `{{ }}` in it, as text. @param inspect Sees what each expression gives; may throw. */
  text(value: string, path: Path, inspect?: (piece: string) => void): (scope: ExpressionScope) => string;
  problem(path: Path, message: string): void;
  /** Gives the step the results of all steps that it can see, and not only of those that its texts name. */
  readsAllSteps(): void;
  /** An action of a service of the host. */
  readonly action: Services["find"];
  readonly code: CodeRunner;
  readonly models: ModelRunner;
  readonly pages: WebPages;
  /** What else is checked when a version is deployed, and never when it runs: it may take its time. */
  whenDeployed(check: () => Promise<readonly Problem[]>): void;
}

/** What code of users runs in. */
export interface CodeRunner {
  /** Loaded when first used. */
  sandbox(): Promise<Sandbox>;
  readonly limits: SandboxLimits;
}

/** What model steps ask. */
export interface ModelRunner extends Models {
  /** Milliseconds that one answer may take. */
  readonly time: number;
}

/** What is wrong at this path inside the step. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

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
  child(call: ChildCall): Promise<JsonValue>;
  /** The credentials of a connection of the app, for an action of its service. */
  readonly openConnection: OpenConnection;
  /** Logs what the error of a try keeps from its run, such as what a storage said. */
  logCause(runId: string, error: StepError): void;
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
  wrote(text: string): void;
  /**
   * Carries out a part of the step, with tries and a time of its own, and settles when its outcome is stored: the same
   * name gives the same outcome from then on, also after a crash, until the step has settled. Its idempotency key is
   * that of the step with the name behind it.
   * Rejects only with why the step is to stop; a part that fails says so in its outcome.
   */
  perform(part: Substep): Promise<Outcome>;
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
  readonly tries: number;
  /** Milliseconds that one try may take. */
  readonly timeout: number;
  /** Whether others may hold what it gives, and change it: then it is copied. */
  readonly isShared?: true;
  /** Whether what it gives was made of JSON for it alone, and found right: large outputs take long to go through again. */
  readonly isPlain?: true;
  /** Whether it only waits for another run: a process that closes does not wait for it. */
  readonly isElsewhere?: true;
  /** What took too long, in the error that says so. Left out, `The step`. */
  readonly named?: string;
  /** What is at hand already is given as it is: a promise costs more than many an action. */
  run(scope: ExpressionScope, attempt: Attempt, effects: Effects): JsonValue | Promise<JsonValue>;
}

/** What somebody else has to give, or time. */
export interface Wait {
  readonly kind: "wait";
  /** When the step goes on by itself, by what it sees; a function of that alone. Left out: when somebody provides. */
  readonly moment?: (scope: ExpressionScope) => WakeUp;
}

/** A moment that a step waits for. */
export interface WakeUp {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What the step then gives. */
  readonly output: JsonValue;
}

export type Executable = Pure | Effect | Wait;

export interface StepKind<Type extends StepType> {
  compile(step: StepOf<Type>, compiler: StepCompiler, place: StepPosition): Executable;
}

/** Where in its run a step stands. */
export interface StepPosition {
  /** Whether the run starts at it. */
  readonly isStart: boolean;
  /** What its version asks every run for. */
  readonly versionInput: InputDefinition;
}
