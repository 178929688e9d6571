/** The schemas of a definition, and of what contains one: drafts and versions. */
import * as v from "valibot";
import { Author } from "../calls/author.ts";
import { expectedRevision } from "../documents/expected-version.ts";
import { idsIn } from "../documents/references.ts";
import { omitUndefined } from "../json.ts";
import { jsonObject, jsonValue, list, map, strictObject } from "../schema.ts";
import { InputDefinition, InputOptions } from "./input/input-field.ts";
import { Settings } from "./settings.ts";
import { Step } from "./step.ts";

/** Deploying computes what steps can read of each other for every pair of them, so the number is limited. */
export const MAX_STEPS = 2_000;

/** The definition that an author writes and a version freezes. */
export const definitionFields = {
  /** Input fields of every run, whichever input step it starts at. */
  input: InputDefinition,
  /** Values of `config` fields, and defaults of other input fields; null for none. */
  input_default: v.nullable(jsonObject),
  /** Layout of the forms. */
  input_options: v.nullable(InputOptions),
  /** Steps, at most 2,000. */
  steps: list(Step),
  /** Settings: timeout, failure workflow, events, limits and retention of runs. Absent if there are none. */
  settings: v.exactOptional(Settings),
  /**
   * Pinned outputs by step key: runs of the draft use them instead of executing the steps. Not allowed for notes,
   * branches and the input step that starts the run. Deployed versions have none.
   */
  pinned: v.exactOptional(map(jsonValue)),
} as const;

export const GivenSteps = v.pipe(
  definitionFields.steps,
  v.maxLength(
    MAX_STEPS,
    `Must have at most ${MAX_STEPS} steps. Move some of them into another workflow and call it with a workflow step.`,
  ),
);

export const DraftPut = strictObject({
  /** Input fields of every run, whichever input step it starts at. @default {} */
  input: v.exactOptional(definitionFields.input),
  /** Values of `config` fields, and defaults of other input fields. @default null */
  input_default: v.exactOptional(definitionFields.input_default),
  /** Layout of the forms. @default null */
  input_options: v.exactOptional(definitionFields.input_options),
  /** Steps, at most 2,000. @default [] */
  steps: v.exactOptional(GivenSteps),
  /** Settings: timeout, failure workflow, events, limits and retention of runs. @default none */
  settings: definitionFields.settings,
  /**
   * Pinned outputs by step key: runs of the draft use them instead of executing the steps. Not deployed. @default none
   */
  pinned: definitionFields.pinned,
});
/** A draft. Omitted fields become empty. */
export interface DraftPut extends v.InferOutput<typeof DraftPut> {
  /** Layout of the forms. @default null */
  input_options?: InputOptions | null;
}

export const DraftReplace = strictObject({
  ...DraftPut.entries,
  /** As in the draft that `GET` returns. Ignored. */
  updated_at: v.exactOptional(v.string()),
  /** As in the draft that `GET` returns. Ignored: `expected_revision` makes the call conditional. */
  revision: v.exactOptional(v.number()),
  ...expectedRevision,
});
/**
 * A draft that replaces the stored one. Omitted fields become empty. You can pass the draft that {@link Draft}
 * describes.
 * @example { "steps": [{ "type": "code", "key": "greet", "code": "return `Hello ${input.name}`" }] }
 */
export interface DraftReplace extends v.InferOutput<typeof DraftReplace> {
  /** Layout of the forms. @default null */
  input_options?: InputOptions | null;
}

export const Definition = v.object(definitionFields);
export interface Definition extends Readonly<v.InferOutput<typeof Definition>> {}

/** The definition in a version or a draft, without what else it has. */
export function definitionOf({ input, input_default, input_options, steps, settings, pinned }: Definition): Definition {
  return { input, input_default, input_options, steps, ...omitUndefined({ settings, pinned }) };
}

/** What a deployment freezes: pinned outputs are for runs of the draft. */
export function deployedDefinitionOf(given: Definition): Omit<Definition, "pinned"> {
  const { pinned: _, ...deployed } = definitionOf(given);
  return deployed;
}

/** The ids in all texts of what a deployment freezes. */
export const referencesOf = (definition: Definition) => idsIn(deployedDefinitionOf(definition));

export const Draft = v.object({
  ...definitionFields,
  /** Increases with each change of the draft. Over HTTP also the `ETag`. */
  revision: v.number(),
  /** ISO 8601. */
  updated_at: v.string(),
});
/** The draft of a workflow. */
export interface Draft extends Readonly<v.InferOutput<typeof Draft>> {
  /** Layout of the forms. */
  readonly input_options: InputOptions | null;
}

export const Validation = v.object({
  /** Whether the definition can be deployed. */
  valid: v.boolean(),
  /** Problems of the definition, at most 100. */
  errors: list(
    v.object({
      /** JSON Pointer (RFC 6901) into the definition. */
      pointer: v.string(),
      /** What is wrong, and what would be right. */
      message: v.string(),
      /** Index of the first wrong character, for a part of an expression in the field. */
      at: v.exactOptional(v.number()),
      /** Index after the last wrong character. */
      end: v.exactOptional(v.number()),
    }),
  ),
  /** Whether there are more problems than `errors` reports. */
  errors_truncated: v.exactOptional(v.boolean()),
  /**
   * Probable mistakes that do not prevent a deployment, such as an expression that reads a field that no input has. At most
   * 100; absent for none.
   */
  warnings: v.exactOptional(
    list(
      v.object({
        /** JSON Pointer (RFC 6901) into the definition. */
        pointer: v.string(),
        /** What is probably wrong, and what would be right. */
        message: v.string(),
      }),
    ),
  ),
});
/** The result of a validation: all problems that would prevent a deployment. */
export interface Validation extends Readonly<v.InferOutput<typeof Validation>> {}

export const Version = v.object({
  /** `workv_…` */
  id: v.string(),
  /** App that owns the workflow. */
  app_id: v.string(),
  /** Workflow that was deployed. */
  workflow_id: v.string(),
  /** Description of the workflow at the time of the deployment. */
  description: v.nullable(v.string()),
  /** Number of the version, from 1; 0 for the draft. */
  version: v.number(),
  /** Number of the version that a rollback deployed again; absent for other deployments. */
  rollback_version: v.exactOptional(v.number()),
  /** Release notes. */
  notes: v.nullable(v.string()),
  /** User or API key that deployed the version. Absent for your program and a session of the console, without a user. */
  created_by: v.exactOptional(Author),
  /** Date of the deployment, `YYYY-MM-DD`; null for the draft. */
  created_at: v.nullable(v.string()),
  /** Time of the deployment, ISO 8601. Absent for the draft. */
  deployed_at: v.exactOptional(v.string()),
  /** `<workflow_id>@<version>`, or `<workflow_id>@draft`. */
  key: v.string(),
  ...definitionFields,
});
/** A version: the definition of a workflow, frozen by a deployment. */
export interface Version extends Readonly<v.InferOutput<typeof Version>> {
  /** Layout of the forms. */
  readonly input_options: InputOptions | null;
}

const notes = v.nullable(v.pipe(v.string(), v.maxLength(10_240, "Must have at most 10240 characters.")));

export const Deploy = strictObject({
  /** Release notes, at most 10,240 characters. @default null */
  notes: v.exactOptional(notes),
  /**
   * Revision that the draft must have; otherwise the call rejects with `precondition_failed`. @default any revision
   */
  expected_revision: expectedRevision.expected_revision,
});
/** Settings of a deployment. */
export interface Deploy extends v.InferOutput<typeof Deploy> {}

export const Rollback = strictObject({
  /** Release notes, at most 10,240 characters. @default those of the version that is deployed again */
  notes: v.exactOptional(notes),
});
/** Settings of a rollback. */
export interface Rollback extends v.InferOutput<typeof Rollback> {}
