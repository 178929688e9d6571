/** Versions of resources, and the check that a resource has the one that a caller expects. */
import * as v from "valibot";
import { StepwellError } from "../errors.ts";
import { wholeNumber } from "../schema.ts";
import { wholeNumber as wholeNumberInQuery } from "./pagination.ts";

/** Versions in a message. */
const MAX_SHOWN = 10;

/**
 * @param what Name of the resource in the message.
 * @param expected Versions of which the resource must have one; undefined for any.
 * @throws StepwellError `precondition_failed`
 */
export function checkVersion(
  what: string,
  { version }: { readonly version: number },
  expected: readonly number[] | undefined,
): void {
  refuseOther(`The ${what} has version ${version}`, version, expected);
}

function refuseOther(has: string, version: number, expected: readonly number[] | undefined): void {
  if (expected === undefined || expected.includes(version)) return;
  const shown = expected.slice(0, MAX_SHOWN).join(" or ") + (expected.length > MAX_SHOWN ? " or others" : "");
  const other = expected.length === 0 ? ", which matches no ETag in If-Match" : `, not ${shown}`;
  throw new StepwellError("precondition_failed", `${has}${other}. Read it again and repeat the change.`);
}

/** Combines two conditions: a version, and a list of versions. */
export function bothOf(
  version: number | undefined,
  versions: readonly number[] | undefined,
): readonly number[] | undefined {
  if (version === undefined) return versions;
  return versions === undefined || versions.includes(version) ? [version] : [];
}

/**
 * A resource whose versions are called revisions, because its versions are something else or its other fields change
 * without a caller. The documents of earlier releases have none.
 */
export interface Revised {
  /** Increases by 1 with each change that a caller makes. Also the `ETag`. */
  readonly revision?: number;
}

/** The field of a body that names the revision that a caller expects. */
export const expectedRevision = {
  /**
   * Revision that the resource must have; otherwise the call rejects with `precondition_failed`. @default any revision
   */
  expected_revision: v.exactOptional(wholeNumber(0)),
} as const;

/** The same of a query. */
export const expectedRevisionInQuery = {
  /**
   * Revision that the resource must have; otherwise the call rejects with `precondition_failed`. @default any revision
   */
  expected_revision: v.exactOptional(wholeNumberInQuery(0, Number.MAX_SAFE_INTEGER)),
} as const;

const FIRST = 1;

export const revisionOf = ({ revision = FIRST }: Revised): number => revision;

/** A document with its revision. The document itself if it has one, which keeps its cached JSON. */
export function withRevision<T extends Revised>(document: T): T & { readonly revision: number } {
  return hasRevision(document) ? document : { ...document, revision: FIRST };
}

function hasRevision<T extends Revised>(document: T): document is T & { readonly revision: number } {
  return document.revision !== undefined;
}

/**
 * The revision of a changed document.
 * @throws StepwellError `precondition_failed` if the document has none of the expected revisions
 */
export function nextRevision(what: string, before: Revised, expected: readonly number[] | undefined): number {
  checkRevision(what, before, expected);
  return revisionOf(before) + 1;
}

/** @throws StepwellError `precondition_failed` */
export function checkRevision(what: string, document: Revised, expected: readonly number[] | undefined): void {
  const revision = revisionOf(document);
  refuseOther(`The ${what} has revision ${revision}`, revision, expected);
}

/** How responses get their `ETag` from a revision. */
export const versioned = {
  versionOf: revisionOf,
  /** Nothing changes without the revision. */
  isWholeVersion: () => true,
} as const;

/** The same for resources that also change without a caller, so that a client cannot keep a copy. */
export const partlyVersioned = { ...versioned, isWholeVersion: () => false } as const;
