/** The results of schemas that check containers themselves: valibot's results while they are built. */
import * as v from "valibot";
import { MAX_ERRORS } from "../errors.ts";

/** The intermediate result of checking a container. */
export interface Progress {
  readonly value: unknown;
  typed: boolean;
  issues?: [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]];
}

/** Adds the result of an item to the result of its container. */
export function take(
  into: Progress,
  { typed, issues }: v.OutputDataset<unknown, v.BaseIssue<unknown>>,
  item: v.IssuePathItem,
) {
  if (!typed) into.typed = false;
  for (const issue of issues ?? []) {
    const located = { ...issue, path: [item, ...(issue.path ?? [])] } satisfies v.BaseIssue<unknown>;
    if (into.issues) into.issues.push(located);
    else into.issues = [located];
  }
}

/** Whether there are already more issues than are reported. */
export function isFull({ issues }: { readonly issues?: readonly unknown[] | undefined }): boolean {
  return issues !== undefined && issues.length > MAX_ERRORS;
}

/** Types the result of a container. The value was built from the results of its items, which types cannot express. */
export function asDataset<Output>(result: Progress): v.OutputDataset<Output, never> {
  return result as unknown as v.OutputDataset<Output, never>;
}

export function refuseKey<Issue extends v.BaseIssue<unknown>>(
  schema: v.GenericSchema,
  key: string,
  expected: string,
  input: Readonly<Record<string, unknown>>,
  dataset: v.OutputDataset<unknown, Issue>,
  config: v.Config<v.BaseIssue<unknown>>,
  message?: string,
): void {
  const path: [v.ObjectPathItem] = [{ type: "object", origin: "key", input, key, value: input[key] }];
  v._addIssue(schema, "key", dataset, config, {
    input: key,
    expected,
    path,
    message,
  });
}

/** Adds an issue and returns the result. All issues have the same form, which the types of schemas do not express. */
export function refused(
  schema: v.GenericSchema,
  dataset: v.UnknownDataset,
  config: v.Config<v.BaseIssue<unknown>>,
): v.FailureDataset<never> {
  v._addIssue(schema, "type", dataset, config);
  return dataset as unknown as v.FailureDataset<never>;
}
