/** The interface between step types and the compiler. Types only. */
import type { JsonValue } from "../../json.ts";
import type { Models } from "../../ports/models.ts";
import type { Sandbox, SandboxLimits } from "../../ports/sandbox.ts";
import type { Services } from "../../services/registry.ts";
import type { InputDefinition } from "../../workflows/input/input-field.ts";
import type { StepOf, StepType } from "../../workflows/step.ts";
import type { Executable } from "../execution/step-context.ts";
import type { Evaluate } from "../expressions/cel.ts";
import type { ExpressionScope, Place } from "../expressions/expression-scope.ts";
import type { CreateSchemaCheck } from "../model/json-schema.ts";
import type { WebPages } from "../steps/web-page.ts";

export type Path = readonly (string | number)[];

/** What a step type uses to compile its fields. A problem doesn't stop compilation: all are reported at once. */
export interface StepCompiler {
  /**
   * Compiles a CEL expression.
   * @param path Path of the field within the step.
   * @param place Decides which variables it has. Default: those of the step's own fields.
   * @param start Its index in the text of the field. Default: 0.
   */
  expression(text: string, path: Path, place?: Place, start?: number): Evaluate;
  /** Like {@link StepCompiler.expression}, but `{{ }}` around the expression are allowed. */
  listExpression(text: string, path: Path, place: Place): Evaluate;
  /** Compiles JSON whose strings may contain `{{ }}`. A string that is a single expression evaluates to its value. */
  template(value: JsonValue, path: Path): Evaluate;
  /**
   * Compiles a text that may contain `{{ }}`. @param inspect Called with the text of each expression's value; may
   * throw.
   */
  text(value: string, path: Path, inspect?: (piece: string) => void): (scope: ExpressionScope) => string;
  problem(path: Path, message: string): void;
  /** Makes the results of all visible steps available to the step, instead of only those that its expressions name. */
  readsAllSteps(): void;
  /** Finds an action of a registered service. */
  readonly action: Services["find"];
  readonly code: CodeRunner;
  readonly models: ModelRunner;
  readonly pages: WebPages;
  readonly schemaCheck: CreateSchemaCheck;
  /** Adds a check that runs when a version is deployed, but not when it is executed. It may be slow. */
  whenDeployed(check: () => Promise<readonly Problem[]>): void;
  /** Says what is probably a mistake, and prevents no deployment. */
  warn(path: Path, message: string): void;
}

/** Where users' code runs. */
export interface CodeRunner {
  /** Loads the sandbox on first use. */
  sandbox(): Promise<Sandbox>;
  readonly limits: SandboxLimits;
}

/** The models that model steps call. */
export interface ModelRunner extends Models {
  /** Maximum duration of one response, in milliseconds. */
  readonly timeoutMs: number;
}

/** A problem in the field at this path within the step. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** The implementation of a step type. */
export interface StepImplementation<Type extends StepType> {
  compile(step: StepOf<Type>, compiler: StepCompiler, position: StepPosition): Executable;
}

/** A step's position in its run. */
export interface StepPosition {
  /** Whether the run starts at this step. */
  readonly isStart: boolean;
  /** The input fields that every run of the version requires. */
  readonly versionInput: InputDefinition;
}
