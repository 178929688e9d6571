/** What callers attach to a run, and what started it. */
import * as v from "valibot";
import { omitUndefined } from "../json.ts";
import { list, map } from "../schema.ts";

const MAX_TAGS = 16;
const MAX_METADATA = 16;

/** A plain text, because lists of tags in a URL are separated by commas. */
export const RunTag = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(64, "Must have at most 64 characters."),
  v.regex(/^[^,]*$/, "Must not contain a comma."),
);

export const RunTags = v.pipe(
  list(RunTag),
  v.maxLength(MAX_TAGS, `Must have at most ${MAX_TAGS} tags.`),
  v.transform((tags): readonly string[] => [...new Set(tags)]),
);

const MetadataKey = v.pipe(
  v.string(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(64, "Must have at most 64 characters."),
);
const MetadataValue = v.union(
  [v.pipe(v.string(), v.maxLength(256, "Must have at most 256 characters.")), v.number(), v.boolean()],
  "Must be a string, a number or a boolean.",
);

export const RunMetadata = v.pipe(
  map(MetadataValue, MetadataKey),
  v.check((metadata) => Object.keys(metadata).length <= MAX_METADATA, `Must have at most ${MAX_METADATA} keys.`),
);
/** Metadata of a run: strings, numbers and booleans by name. */
export type RunMetadata = v.InferOutput<typeof RunMetadata>;

export const TRIGGER_TYPES = [
  "api",
  "schedule",
  "webhook",
  "rule",
  "workflow",
  "replay",
  "failure",
  "event",
  "form",
  "mcp",
  "console",
  "test",
] as const;
/** What starts runs. */
export type TriggerType = (typeof TRIGGER_TYPES)[number];

const RunRequest = v.object({
  /** HTTP method. */
  method: v.string(),
  /** Path below `/public/apps/hooks/{app_id}/`. */
  path: v.string(),
  /** Parameters of the path, by name. Absent if the path of the webhook has none. */
  params: v.exactOptional(map(v.string())),
  /** Query parameters: a string, or a list of strings for a repeated parameter. */
  query: map(v.union([v.string(), list(v.string())])),
  /**
   * Headers by lowercase name, up to 16 KiB in total, without `authorization`, `cookie`, API keys and the signature of
   * the webhook.
   */
  headers: map(v.string()),
});
/** The request to an incoming webhook. */
export interface RunRequest extends Readonly<v.InferOutput<typeof RunRequest>> {}

const triggerFields = {
  /**
   * `api`: a caller. `schedule`: a schedule. `webhook`: an incoming webhook. `rule`: a rule of a record. `workflow`: a
   * step of another run. `replay`: the replay of a run. `failure`: a failed run whose workflow names this one as its
   * failure workflow. `event`: an event of the app. `form`: a person, through the form of a webhook. `mcp`: an agent,
   * through the MCP server of the app. `console`: a person, in the console. `test`: a test of one step.
   */
  type: v.picklist(TRIGGER_TYPES),
  /**
   * Id of the schedule, webhook, record or event, or of the run that started it, was replayed or failed. Absent for
   * `api`, `mcp` and `console`.
   */
  id: v.exactOptional(v.string()),
  /** Key of the step that started a child run. Only for `workflow`. */
  step: v.exactOptional(v.string()),
  /** Id of the API key of the caller. Absent if the run was started in process or in a session without a key, and for the other types. */
  key_id: v.exactOptional(v.string()),
  /** Id of the acting user. Absent if the caller named none. */
  user_id: v.exactOptional(v.string()),
} as const;

export const TriggerSummary = v.object(triggerFields);
/** What started a run, without the request. */
export interface TriggerSummary extends Readonly<v.InferOutput<typeof TriggerSummary>> {}

export const RunTrigger = v.object({
  ...triggerFields,
  /** Name of the API key of the caller when the run was started. Absent if `key_id` is. */
  key_name: v.exactOptional(v.string()),
  /** The request to an incoming webhook. Only for `webhook`. */
  request: v.exactOptional(RunRequest),
  /** The event. Only for `event`. */
  event: v.exactOptional(
    v.object({
      /** Name of the event. */
      name: v.string(),
      /** Subject of the event, or null. */
      subject: v.nullable(v.string()),
    }),
  ),
});
/** What started a run. */
export interface RunTrigger extends Readonly<v.InferOutput<typeof RunTrigger>> {}

export const triggerSummary = ({ type, id, step, key_id, user_id }: RunTrigger): TriggerSummary => ({
  type,
  ...omitUndefined({ id, step, key_id, user_id }),
});
