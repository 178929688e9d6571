/** Problems of a definition by the steps and fields that they are about. Pure. */
import type { Definition } from "../../../../../src/workflows/version.ts";

export interface Problem {
  /** JSON Pointer into the definition. */
  readonly pointer: string;
  readonly message: string;
  /** Key of the step; null outside of steps. */
  readonly step: string | null;
  /** JSON Pointer into the step, or into the definition outside of steps. */
  readonly within: string;
}

/** @param definition The definition that was checked. */
export function problemsOf(
  { steps }: Pick<Definition, "steps">,
  errors: readonly { readonly pointer: string; readonly message: string }[],
): readonly Problem[] {
  return errors.map(({ pointer, message }) => {
    const [, part, index = "", ...rest] = pointer.split("/");
    const step = part === "steps" && index !== "" ? steps[Number(index)] : undefined;
    if (step === undefined) return { pointer, message, step: null, within: pointer };
    return { pointer, message, step: step.key, within: rest.map((one) => `/${one}`).join("") };
  });
}
