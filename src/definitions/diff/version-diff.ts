/** The difference between two versions of a workflow, or between the draft and a version. */
import * as v from "valibot";
import { jsonValue, list } from "../../schema.ts";

/** Changes in one diff. The rest is left out, and `truncated` is true. */
export const MAX_CHANGES = 1_000;

const Side = v.object({
  /** Id of the version, or of the draft. */
  id: v.string(),
  /** Number of the version; 0 for the draft. */
  version: v.number(),
});

const step = {
  /** Key of the step that contains the value; absent outside of steps. */
  step: v.exactOptional(v.string()),
};

export const VersionDiff = v.object({
  /** The version to compare from. */
  from: Side,
  /** The version to compare to. */
  to: Side,
  /** Values that only the second version has. */
  added: list(
    v.object({
      /** JSON Pointer (RFC 6901) into the second version. */
      pointer: v.string(),
      ...step,
      /** The value. */
      value: jsonValue,
    }),
  ),
  /** Values that only the first version has. */
  removed: list(
    v.object({
      /** JSON Pointer into the first version. */
      pointer: v.string(),
      ...step,
      /** The value. */
      value: jsonValue,
    }),
  ),
  /** Values that differ. */
  changed: list(
    v.object({
      /** JSON Pointer into the second version. */
      pointer: v.string(),
      /** JSON Pointer into the first version. It differs from `pointer` if steps were inserted, removed or moved. */
      from_pointer: v.string(),
      ...step,
      /** The value in the first version. */
      before: jsonValue,
      /** The value in the second version. */
      after: jsonValue,
    }),
  ),
  /** Steps whose position among the others changed. */
  moved: list(
    v.object({
      /** JSON Pointer into the second version. */
      pointer: v.string(),
      /** JSON Pointer into the first version. */
      from_pointer: v.string(),
      /** Key of the step. */
      step: v.string(),
    }),
  ),
  /** Whether there are more than 1,000 changes; the others are omitted. */
  truncated: v.boolean(),
});
/** The difference between two versions: what was added, removed, changed and moved. Steps are matched by their keys. */
export interface VersionDiff extends Readonly<v.InferOutput<typeof VersionDiff>> {}

/** One difference. Pointers are paths, from which `pointer` of `json.ts` makes text. */
export type Difference =
  | { readonly kind: "added"; readonly to: Path; readonly value: unknown }
  | { readonly kind: "removed"; readonly from: Path; readonly value: unknown }
  | {
      readonly kind: "changed";
      readonly from: Path;
      readonly to: Path;
      readonly before: unknown;
      readonly after: unknown;
    };

export type Path = readonly (string | number)[];
