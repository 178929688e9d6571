/** parseDefinition: validates definitions that the compiler does not know, such as those from a file. */
import * as v from "valibot";
import { check, strictObject } from "../../schema.ts";
import type { Step } from "../step.ts";
import { DraftPut, GivenSteps } from "../version.ts";

const Parsed = strictObject({
  ...DraftPut.entries,
  steps: v.exactOptional(v.pipe(GivenSteps, v.brand("parsed steps"))),
});

/** Steps from {@link parseDefinition}, which `create` and `putDraft` accept whatever the `services` are. */
export type ParsedSteps = v.Brand<"parsed steps">;

/** A definition from {@link parseDefinition}. */
export interface ParsedDefinition extends Omit<DraftPut, "steps"> {
  /** Validated steps, at most 2,000. */
  readonly steps?: readonly Step[] & ParsedSteps;
}

/**
 * Parses a definition from unknown data: JSON from a file, an editor or a model, or steps that code assembled. If you
 * pass `services` to `createStepwell`, the compiler checks literal steps against their actions and rejects a general
 * `Step[]`; use this function for those. Deploying then checks their actions.
 *
 * @throws StepwellError `invalid` with a JSON Pointer for each invalid field
 * @example
 * ```ts
 * const definition = parseDefinition(JSON.parse(await readFile("intake.json", "utf8")));
 * await stepwell.workflows.create(app.id, { name: "Intake", ...definition });
 * ```
 */
export function parseDefinition(value: unknown): ParsedDefinition {
  return check(Parsed, value);
}
