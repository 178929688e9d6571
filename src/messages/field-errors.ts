/** Turns schema issues into the error that reports them. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type * as v from "valibot";
import { cut, type FieldError, MAX_ERRORS, StepwellError } from "../errors.ts";
import { pointer } from "../json.ts";
import { issueSentence } from "./issue-sentence.ts";

/**
 * One error for any number of invalid fields. Its message describes the first and counts the others.
 * @param whole Name of the value that an empty pointer means. If omitted, the message stands alone.
 */
export function invalid(errors: readonly FieldError[], whole = ""): StepwellError {
  const [first] = errors;
  const where = first === undefined ? "" : describe(first, whole);
  const others = errors.length - 1;
  const more = others >= MAX_ERRORS ? `at least ${MAX_ERRORS - 1}` : others;
  return new StepwellError("invalid", `${cut(where, 1_000)}${others > 0 ? ` (and ${more} more)` : ""}`, { errors });
}

function describe({ in: source, pointer, message }: FieldError, whole: string): string {
  const place = `${source === undefined ? "" : `${source} `}${pointer || whole}`;
  return place === "" ? message : `${place}: ${message}`;
}

/** The path of a Standard Schema issue, as parts of a pointer. */
export function plainPath(path: StandardSchemaV1.Issue["path"] = []): (string | number)[] {
  return path.map((part) => {
    const key = typeof part === "object" ? part.key : part;
    return typeof key === "number" ? key : String(key);
  });
}

/** Schema issues as pointers and messages. */
export function fieldErrors(
  issues: readonly v.BaseIssue<unknown>[],
  base: readonly (string | number)[] = [],
): FieldError[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...(issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)))];
    // Of several allowed forms, report the one that matched in part: the caller most likely meant it.
    const within = issue.issues?.filter((inner) => inner.path !== undefined) ?? [];
    return within.length > 0 ? fieldErrors(within, path) : [{ pointer: pointer(path), message: issueSentence(issue) }];
  });
}

/** Items to check concurrently. */
const ITEMS_PER_BATCH = 50;

/** Collects the errors of many items, each of which takes lookups. Stops when there are more than are reported. */
export async function errorsOfEach<Item>(
  items: readonly Item[],
  errorsOf: (item: Item, index: number) => Promise<readonly FieldError[]>,
): Promise<readonly FieldError[]> {
  const errors: FieldError[] = [];
  for (let start = 0; start < items.length && errors.length <= MAX_ERRORS; start += ITEMS_PER_BATCH) {
    const batch = items.slice(start, start + ITEMS_PER_BATCH);
    const found = await Promise.all(batch.map((item, index) => errorsOf(item, start + index)));
    for (const error of found.flat()) errors.push(error);
  }
  return errors;
}
