/** Problems of a definition by the steps and fields that they are about. Pure. */
import type { Definition, Validation } from "../../../../../src/workflows/version.ts";

export interface Problem {
  /** JSON Pointer into the definition. */
  readonly pointer: string;
  readonly message: string;
  /** Key of the step; null outside of steps. */
  readonly step: string | null;
  /** JSON Pointer into the step, or into the definition outside of steps. */
  readonly within: string;
  /** Index of the first wrong character, for a part of an expression. */
  readonly at?: number;
  /** Index after the last wrong character. */
  readonly end?: number;
}

/**
 * In the order of their steps, as people go through them; last those outside of steps.
 * @param definition The definition that was checked.
 */
export function problemsOf({ steps }: Pick<Definition, "steps">, errors: Validation["errors"]): readonly Problem[] {
  const placed = errors.map((error): { readonly place: number; readonly problem: Problem } => {
    const { pointer } = error;
    const [, part, index = "", ...rest] = pointer.split("/");
    const step = part === "steps" && index !== "" ? steps[Number(index)] : undefined;
    if (step === undefined) return { place: steps.length, problem: { ...error, step: null, within: pointer } };
    const within = rest.map((one) => `/${one}`).join("");
    return { place: Number(index), problem: { ...error, step: step.key, within } };
  });
  return placed.sort((one, other) => one.place - other.place).map(({ problem }) => problem);
}
