/** What a step type is: how a step of it is compiled. Types only. */
import type { JsonValue } from "../../json.ts";
import type { Models } from "../../ports/models.ts";
import type { Sandbox, SandboxLimits } from "../../ports/sandbox.ts";
import type { Services } from "../../services/registry.ts";
import type { InputDefinition } from "../../workflows/input/input-field.ts";
import type { StepOf, StepType } from "../../workflows/step.ts";
import type { Executable } from "../execution/step-context.ts";
import type { Evaluate } from "../expressions/cel.ts";
import type { ExpressionScope } from "../expressions/expression-scope.ts";
import type { WebPages } from "../steps/web-page.ts";

export type Path = readonly (string | number)[];

/** What a step type compiles its fields with. A problem does not stop it: all are reported at once. */
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
