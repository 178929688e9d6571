/**
 * Stores a form of something that others may have changed since the form was filled: what only they changed is kept, and
 * what both changed is asked about.
 */
import { StepwellError } from "../../../../src/client/index.ts";
import { isSameJson } from "./same-json.ts";
import { type Clash, type IsWhole, merged, type Path, withStored } from "./three-way.ts";

/** How a form reads and writes what it shows. */
export interface Way<Resource extends object, Fields extends object> {
  /** What the form shows of it. */
  readonly fieldsOf: (resource: Resource) => Fields;
  /**
   * Increases with each change. Null for what has none, as triggers, rules, tags, webhooks and files: then it is read just
   * before it is written. What others store between these two requests is overwritten, and nobody hears of it.
   */
  readonly revisionOf: (resource: Resource) => number | null;
  readonly read: (base: Resource) => Promise<Resource>;
  /**
   * Stores the fields if it still has the revision of the base, else rejects with `precondition_failed`.
   * @param base What is changed; null for a new one.
   */
  readonly write: (fields: Fields, base: Resource | null) => Promise<Resource>;
  /** @default each field is merged by its parts */
  readonly isWhole?: IsWhole;
}

/** A form when it is sent. */
export interface Sending<Resource, Fields> {
  /** What the form was filled with; null for a new one. */
  readonly base: Resource | null;
  /** What the form has taken over of the base. @default all */
  readonly before?: Fields | undefined;
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

/** How often it is stored with what others have changed meanwhile. */
const MAX_ROUNDS = 5;

export async function saveMerged<Resource extends object, Fields extends object>(
  way: Way<Resource, Fields>,
  { base, before, fields, lost }: Sending<Resource, Fields>,
): Promise<Outcome<Resource, Fields>> {
  if (base === null) return { kind: "saved", stored: await way.write(fields, null), elsewhere: [] };
  const { fieldsOf, revisionOf } = way;
  let theirs = revisionOf(base) === null ? await way.read(base) : base;
  for (let round = 1; ; round++) {
    const stored = fieldsOf(theirs);
    const from = lost.reduce((known, sent) => withStored(known, sent, stored), before ?? fieldsOf(base));
    const { value, clashes, elsewhere } = merged(from, fields, stored, way.isWhole);
    if (clashes.length > 0) return { kind: "clash", theirs, fields: value, clashes, elsewhere };
    if (theirs !== base && isSameJson(value, stored)) return { kind: "saved", stored: theirs, elsewhere };
    try {
      return { kind: "saved", stored: await way.write(value, theirs), elsewhere };
    } catch (cause) {
      if (!isOutrun(cause) || round === MAX_ROUNDS) throw cause;
      const next = await way.read(base);
      // Reading again does not help: something else does not fit.
      if (revisionOf(next) === revisionOf(theirs)) throw cause;
      theirs = next;
    }
  }
}

/** Whether it says that others were first. */
const isOutrun = (cause: unknown): boolean => cause instanceof StepwellError && cause.code === "precondition_failed";
