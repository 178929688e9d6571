/** What is said of a failure that a jump has led to. Pure. */
import type { Run } from "../../../../src/runs/run.ts";
import type { Messages } from "../texts/messages.ts";
import type { FailurePlace } from "./failures.ts";
import { partName } from "./inspector/part-name.ts";

export function failureText(
  texts: Messages["run"],
  { steps }: Pick<Run, "steps">,
  { step: key, at }: FailurePlace,
): string {
  const step = steps.find((one) => one.key === key);
  const error = at === null ? step?.error : step?.errors?.find(({ index }) => index === at);
  const part = step === undefined || at === null ? [] : [partName(texts, step, at)];
  return [texts.failedAt(key), ...part, error?.message ?? ""].join(" · ");
}
