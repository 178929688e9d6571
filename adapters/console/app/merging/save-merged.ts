/**
 * Stores a form of something that others may have changed since the form was filled: what only they changed is kept, and
 * what both changed is asked about.
 */
import { StepwellError } from "../../../../src/client/index.ts";
import { isSameJson } from "./same-json.ts";
import { type Clash, merged, type Path, withStored } from "./three-way.ts";

/** How a form reads and writes what it shows. */
export interface Way<Resource extends object, Fields extends object> {
  /** What the form shows of it. */
  readonly fieldsOf: (resource: Resource) => Fields;
  /** Increases with each change. Null for what has none: then it is read before it is written. */
  readonly revisionOf: (resource: Resource) => number | null;
  readonly read: (base: Resource) => Promise<Resource>;
  /**
   * Stores the fields if it still has the revision of the base, else rejects with `precondition_failed`.
   * @param base What is changed; null for a new one.
   */
  readonly write: (fields: Fields, base: Resource | null) => Promise<Resource>;
  /** Fields that are not merged, because their parts make sense only together. */
  readonly whole?: readonly string[];
}

/** A form when it is sent. */
export interface Sending<Resource, Fields> {
  /** What the form was filled with; null for a new one. */
  readonly base: Resource | null;
  readonly fields: Fields;
  /** What was sent earlier, and perhaps stored: the responses were lost. */
  readonly lost: readonly Fields[];
}

export type Outcome<Resource, Fields> =
  | {
      readonly kind: "saved";
      readonly stored: Resource;
      /** What only others have changed. */
      readonly elsewhere: readonly Path[];
    }
  | {
      readonly kind: "clash";
      /** What is stored. */
      readonly theirs: Resource;
      /** With what only others have changed. */
      readonly fields: Fields;
      readonly clashes: readonly Clash[];
      readonly elsewhere: readonly Path[];
    };

export async function saveMerged<Resource extends object, Fields extends object>(
  way: Way<Resource, Fields>,
  { base, fields, lost }: Sending<Resource, Fields>,
): Promise<Outcome<Resource, Fields>> {
  if (base === null) return { kind: "saved", stored: await way.write(fields, null), elsewhere: [] };
  const { fieldsOf, revisionOf } = way;
  let refusal: unknown = null;
  if (revisionOf(base) !== null) {
    try {
      return { kind: "saved", stored: await way.write(fields, base), elsewhere: [] };
    } catch (cause) {
      refusal = refusalOf(cause);
    }
  }
  let known = base;
  for (;;) {
    const theirs = await way.read(base);
    // Reading again does not help: something else does not fit.
    if (refusal !== null && revisionOf(theirs) === revisionOf(known)) throw refusal;
    known = theirs;
    const stored = fieldsOf(theirs);
    const before = lost.reduce((from, sent) => withStored(from, sent, stored), fieldsOf(base));
    const { value, clashes, elsewhere } = merged(before, fields, stored, way.whole);
    if (clashes.length > 0) return { kind: "clash", theirs, fields: value, clashes, elsewhere };
    if (isSameJson(value, stored)) return { kind: "saved", stored: theirs, elsewhere };
    try {
      return { kind: "saved", stored: await way.write(value, theirs), elsewhere };
    } catch (cause) {
      refusal = refusalOf(cause);
    }
  }
}

/** The error that says that others were first. @throws any other one */
function refusalOf(cause: unknown): unknown {
  if (cause instanceof StepwellError && cause.code === "precondition_failed") return cause;
  throw cause;
}
