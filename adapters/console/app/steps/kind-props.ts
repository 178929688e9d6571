/** What the editor of a step type gets. */
import type { Step } from "../../../../src/workflows/step.ts";

export interface Problem {
  /** JSON Pointer (RFC 6901) into the step. */
  readonly pointer: string;
  readonly message: string;
  /** Index of the first wrong character, for a part of an expression. */
  readonly at?: number;
  /** Index after the last wrong character. */
  readonly end?: number;
}

export interface KindProps<One extends Step = Step> {
  readonly step: One;
  readonly onChange: (step: One) => void;
  /** What is wrong at a pointer into the step or below it; null for nothing. */
  readonly problemAt: (pointer: string) => string | null;
}

export function problemFinder(problems: readonly Problem[]): (pointer: string) => string | null {
  return (pointer) => {
    const found = problems.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
    return found.length === 0 ? null : found.map(({ message }) => message).join(" ");
  };
}

/** A name as a part of a JSON Pointer. */
export const pointerPart = (name: string | number): string => String(name).replaceAll("~", "~0").replaceAll("/", "~1");
