/** Deletion of resources that others may use. */
import * as v from "valibot";
import { bothOf, expectedRevisionInQuery } from "./expected-version.ts";
import { flag } from "./pagination.ts";

/** Fields of the query of a deletion. */
export const removalInQuery = {
  ...expectedRevisionInQuery,
  /**
   * Whether to delete the resource even if it is in use. This pauses its schedules and disables its rules and triggers.
   * Steps of other workflows that use it fail.
   * @default false
   */
  force: v.optional(flag, false),
} as const;

/** How a resource is deleted. */
export interface Removal {
  readonly force: boolean;
  /** Revisions of which it must have one; undefined for any. */
  readonly revisions: readonly number[] | undefined;
}

export function removalOf(
  { force, expected_revision }: { readonly force: boolean; readonly expected_revision?: number },
  versions: readonly number[] | undefined,
): Removal {
  return { force, revisions: bothOf(expected_revision, versions) };
}
