/** Reads the id, the milestone and the folder of an event from data of any form, by configured paths. */
import * as v from "valibot";
import type { JsonObject, JsonValue } from "../../../json.ts";
import { jsonObject } from "../../../schema.ts";
import { InputPath, valueIn } from "../input-path.ts";
import type { TriggerEvent } from "../trigger-type.ts";

const MAX_ID_CHARS = 1_024;

/** Settings of trigger types whose events can have any form. */
export const filterPaths = {
  /** Path to the milestone, for `pull_on_millestones`. @default none */
  milestone_path: v.exactOptional(InputPath),
  /** Path to the folder, for `pull_on_folders`. @default none */
  folder_path: v.exactOptional(InputPath),
} as const;

interface FilterPaths {
  readonly milestone_path?: readonly string[];
  readonly folder_path?: readonly string[];
}

/** A value that is not an object becomes the field `body` of the event. */
export const dataOf = (value: JsonValue): JsonObject => (v.is(jsonObject, value) ? value : { body: value });

export function eventIn(data: JsonObject, id: string, { milestone_path, folder_path }: FilterPaths): TriggerEvent {
  const textAt = (path: readonly string[] | undefined) =>
    path === undefined ? undefined : textOf(valueIn(data, path));
  return { id, data, milestone: textAt(milestone_path), folder: textAt(folder_path) };
}

/** The id at a path: a number, or text that is not too long; null otherwise. */
export function idAt(data: JsonObject, path: readonly string[]): string | null {
  const id = textOf(valueIn(data, path));
  return id === undefined || id === "" || id.length > MAX_ID_CHARS ? null : id;
}

export const missingId = (path: readonly string[]) =>
  `Must contain the id of the event at ${JSON.stringify(path)}: a number, or 1 to ${MAX_ID_CHARS} characters.`;

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
}
