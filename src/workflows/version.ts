/** A deployed version: a frozen snapshot of what a workflow was. */
import * as v from "valibot";
import { jsonObject, list, strictObject } from "../schema.ts";
import { InputDefinition, InputOptions } from "./input/input-field.ts";
import { Step } from "./step.ts";

/** What steps see of each other is worked out for every pair of them. */
export const MAX_STEPS = 2_000;

/** What the author of a workflow writes, and what a version freezes. */
export const definitionFields = {
  /** What every run is given, whichever input step it starts at. */
  input: InputDefinition,
  /** Values of `config` fields, and of others that a run leaves out. */
  input_default: v.nullable(jsonObject),
  input_options: v.nullable(InputOptions),
  steps: list(Step),
} as const;

/** Steps as an author gives them: at most {@link MAX_STEPS}. */
export const GivenSteps = v.pipe(
  definitionFields.steps,
  v.maxLength(
    MAX_STEPS,
    `Must have at most ${MAX_STEPS} steps. Move some of them into another workflow and call it with a workflow step.`,
  ),
);

/** A draft as it is put: what is left out is empty. */
export const DraftPut = strictObject({
  input: v.exactOptional(definitionFields.input),
  input_default: v.exactOptional(definitionFields.input_default),
  input_options: v.exactOptional(definitionFields.input_options),
  steps: v.exactOptional(GivenSteps),
});
export interface DraftPut extends v.InferOutput<typeof DraftPut> {}

export const Definition = v.object(definitionFields);
export interface Definition extends Readonly<v.InferOutput<typeof Definition>> {}

/** What is being written: the draft of a workflow. */
export const Draft = v.object({ ...definitionFields, updated_at: v.string() });
export interface Draft extends Readonly<v.InferOutput<typeof Draft>> {}

/** The answer to a validation: everything that stands against a deployment. */
export const Validation = v.object({
  valid: v.boolean(),
  errors: list(v.object({ pointer: v.string(), message: v.string() })),
  /** More is wrong than `errors` says: 100 are reported at the most. */
  errors_truncated: v.exactOptional(v.boolean()),
});
export interface Validation extends Readonly<v.InferOutput<typeof Validation>> {}

const User = v.object({ id: v.string(), name: v.nullable(v.string()) });

export const Version = v.object({
  /** `workv_…` */
  id: v.string(),
  app_id: v.string(),
  workflow_id: v.string(),
  /** Of the workflow, when this version was deployed. */
  description: v.nullable(v.string()),
  /** From 1; 0 is the draft. */
  version: v.number(),
  rollback_version: v.exactOptional(v.number()),
  notes: v.nullable(v.string()),
  /** The API key that deployed it; left out when the host did. */
  created_by: v.exactOptional(User),
  /** YYYY-MM-DD; null for the draft. */
  created_at: v.nullable(v.string()),
  /** `<workflow_id>@<version>`, or `<workflow_id>@draft`. */
  key: v.string(),
  ...definitionFields,
});
export interface Version extends Readonly<v.InferOutput<typeof Version>> {}

const notes = v.nullable(v.pipe(v.string(), v.maxLength(10_240, "Must have at most 10240 characters.")));

export const Deploy = strictObject({
  /** Release notes. */
  notes: v.exactOptional(notes),
});
export interface Deploy extends v.InferOutput<typeof Deploy> {}

export const Rollback = strictObject({
  /** Release notes; left out, those of the version that is taken up again. */
  notes: v.exactOptional(notes),
});
export interface Rollback extends v.InferOutput<typeof Rollback> {}
