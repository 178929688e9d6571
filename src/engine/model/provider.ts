/** Checks that a model provider is configured. */

import type { ModelRunner, Path, StepCompiler } from "../compile/step-implementation.ts";
import { hasTemplate } from "../expressions/template.ts";
import { asStepError, StepError } from "../step-error.ts";

/** Reports a provider that is not configured. A name in an expression is checked in the run. */
export function checkProvider(name: string, path: Path, { models, problem, whenDeployed }: StepCompiler): void {
  if (!hasTemplate(name) && !models.providers.includes(name)) problem(path, unknown(name, models));
  else
    whenDeployed(() => models.check().then(none, (error: unknown) => [{ path, message: asStepError(error).message }]));
}

const none = () => [];

/** @throws StepError */
export function requireProvider(name: string, models: ModelRunner): void {
  if (!models.providers.includes(name)) throw new StepError("invalid", unknown(name, models));
}

function unknown(name: string, { providers }: ModelRunner): string {
  const known = providers.map((one) => JSON.stringify(one)).join(", ");
  const rest = known === "" ? "none is configured in the option models" : `available: ${known}`;
  return `There is no model provider named ${JSON.stringify(name.slice(0, 100))}; ${rest}.`;
}
