/** Definitions that the compiler does not know, such as those of a file: checked here, and taken by every service. */
import * as v from "valibot";
import { check, strictObject } from "../../schema.ts";
import type { Step } from "../step.ts";
import { DraftPut, GivenSteps } from "../version.ts";

const Parsed = strictObject({
  ...DraftPut.entries,
  steps: v.exactOptional(v.pipe(GivenSteps, v.brand("parsed steps"))),
});

/** Steps that {@link parseDefinition} gave: `create` and `putDraft` take them whichever services there are. */
export type ParsedSteps = v.Brand<"parsed steps">;

/** A definition that {@link parseDefinition} gave. */
export interface ParsedDefinition extends Omit<DraftPut, "steps"> {
  readonly steps?: Step[] & ParsedSteps;
}

/**
 * A definition out of whatever it is: JSON of a file, of an editor or of a model, or steps that were put together. Where
 * services are given at construction, `create` and `putDraft` hold what is written in the program against their actions,
 * and refuse a general `Step[]`; what comes out of here they take. Its actions are looked at when it is deployed.
 *
 * @throws StepwellError `invalid` with a pointer for each field that is wrong.
 * @example
 * ```ts
 * const definition = parseDefinition(JSON.parse(await readFile("intake.json", "utf8")));
 * await stepwell.workflows.create(app.id, { name: "Intake", ...definition });
 * ```
 */
export function parseDefinition(value: unknown): ParsedDefinition {
  return check(Parsed, value);
}
