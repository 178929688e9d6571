/** Reads the id, the milestone and the folder of an event from data of any form, by configured paths. */
import * as v from "valibot";
import { type JsonObject, type JsonValue, pointer } from "../../../json.ts";
import { invalid } from "../../../messages/field-errors.ts";
import { jsonObject } from "../../../schema.ts";
import { isAmbiguous, SEND_AS_STRING } from "../exact-number.ts";
import { InputPath, valueIn } from "../input-path.ts";
import type { TriggerEvent } from "../trigger-type.ts";

const MAX_ID_CHARS = 1_024;

/** Settings of trigger types whose events can have any form. */
export const filterPaths = {
  /** Path to the milestone, for `pull_on_millestones`. @default none */
  milestone_path: v.exactOptional(
    v.pipe(
      InputPath,
      v.title("Path to the milestone"),
      v.description("Where an event says what was reached. Needed to handle only events of certain milestones."),
    ),
  ),
  /** Path to the folder, for `pull_on_folders`. @default none */
  folder_path: v.exactOptional(
    v.pipe(
      InputPath,
      v.title("Path to the folder"),
      v.description("Where an event says to which folder it belongs. Needed to handle only events of certain folders."),
    ),
  ),
} as const;

interface FilterPaths {
  readonly milestone_path?: readonly string[];
  readonly folder_path?: readonly string[];
}

/** A value that is not an object becomes the field `body` of the event. */
export const dataOf = (value: JsonValue): JsonObject => (v.is(jsonObject, value) ? value : { body: value });

/**
 * The id of an event at a path.
 * @param source What the event was read from.
 * @throws StepwellError `invalid` with the place of the id in the source
 */
export function requiredId(source: JsonValue, path: readonly string[]): string {
  const data = dataOf(source);
  const id = idAt(data, path);
  if (id !== null) return id;
  if (!isAmbiguous(valueIn(data, path))) throw invalid([{ pointer: "", message: missingId(path) }], "the body");
  throw invalid([{ pointer: pointer(data === source ? path : path.slice(1)), message: SEND_AS_STRING }], "the body");
}

export function eventIn(data: JsonObject, id: string, { milestone_path, folder_path }: FilterPaths): TriggerEvent {
  const textAt = (path: readonly string[] | undefined) =>
    path === undefined ? undefined : textOf(valueIn(data, path));
  return { id, data, milestone: textAt(milestone_path), folder: textAt(folder_path) };
}

/** The id at a path: a number with all its digits, or text that is not too long; null otherwise. */
export function idAt(data: JsonObject, path: readonly string[]): string | null {
  const value = valueIn(data, path);
  const id = textOf(value);
  return id === undefined || isAmbiguous(value) || id === "" || id.length > MAX_ID_CHARS ? null : id;
}

/** Why {@link idAt} found no id. */
export function idProblem(data: JsonObject, path: readonly string[]): string {
  return isAmbiguous(valueIn(data, path)) ? `${JSON.stringify(path)}: ${SEND_AS_STRING}` : missingId(path);
}

const missingId = (path: readonly string[]) =>
  `Must contain the id of the event at ${JSON.stringify(path)}: a number, or 1 to ${MAX_ID_CHARS} characters.`;

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
}
