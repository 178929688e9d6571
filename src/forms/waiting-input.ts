/** Waiting input steps, and links to their forms. */
import * as v from "valibot";
import { Author } from "../calls/author.ts";
import type { SecretLink } from "../documents/secret-links.ts";
import { RunMetadata, RunTags } from "../runs/run-labels.ts";
import { jsonObject, list, Name, secondsUpTo, strictObject } from "../schema.ts";
import { LANGUAGES, type Language } from "../web-pages/languages.ts";
import { InputDefinition } from "../workflows/input/input-field.ts";

export const WaitingInput = v.object({
  /** Key of the input step. */
  step_key: v.string(),
  /** Its input fields, as the version defines them. */
  definition: InputDefinition,
  /** The values that it accepts, as JSON Schema. */
  schema: jsonObject,
  /** When the step started waiting, ISO 8601. */
  since: v.string(),
  /** When the step fails with the code `timeout`, ISO 8601; null for no time limit. */
  until: v.nullable(v.string()),
});
/** An input step that waits. */
export interface WaitingInput extends Readonly<v.InferOutput<typeof WaitingInput>> {}

/** The values of a form have been stored. */
export const FormReceipt = v.object({
  /** Always `received`. */
  status: v.literal("received"),
});

export const InputPreview = v.object({
  /** Name of the field. */
  name: v.string(),
  /** Label of the field, else its name: at most 60 characters. */
  label: v.string(),
  /** Its value; of a choice, the label. At most 80 characters of a text. */
  value: v.union([v.string(), v.number(), v.boolean()]),
});
/** A value that a run was given, short enough for a list. */
export interface InputPreview extends Readonly<v.InferOutput<typeof InputPreview>> {}

export const WaitingRun = v.object({
  /** `run_…` */
  run_id: v.string(),
  /** Workflow of the run. */
  workflow_id: v.string(),
  /** Number of its version; 0 for a draft. */
  version: v.number(),
  /** Tags of the run. */
  tags: RunTags,
  /** Metadata of the run. */
  metadata: RunMetadata,
  /** When the run was created, ISO 8601. */
  created_at: v.string(),
  /**
   * What tells the run apart from others: its first input values in the order of the form, at most 3. Files, lists and
   * objects are left out.
   */
  input_preview: list(InputPreview),
  /** The steps that wait for input. */
  inputs: list(WaitingInput),
});
/** A run that waits for input. */
export interface WaitingRun extends Readonly<v.InferOutput<typeof WaitingRun>> {}

/** Longest lifetime of a link, in days. */
const MAX_DAYS = 366;

const AboveForm = v.pipe(v.string(), v.maxLength(10_240, "Must have at most 10240 characters."));

export const InputLinkCreate = strictObject({
  /** Seconds until the link expires, from 1 to 31,622,400 (366 days). @default 604,800 (7 days) */
  expires_in: v.exactOptional(secondsUpTo(MAX_DAYS, 1)),
  /** Language of the web page. @default that of the browser, else English */
  language: v.exactOptional(v.picklist(LANGUAGES, `Must be one of ${LANGUAGES.join(", ")}.`)),
  /** Title of the web page, 1 to 256 characters. @default "Your input" */
  title: v.exactOptional(Name),
  /** Plain text above the form, at most 10,240 characters. Line breaks are kept. @default none */
  text: v.exactOptional(AboveForm),
  /**
   * Markdown above the form, at most 10,240 characters. Insert values of others with the function `escapeMarkdown`, so that
   * they cannot add links or headings. Cannot be combined with `text`. @default none
   */
  markdown: v.exactOptional(AboveForm),
});
/** Settings of a new link to the form of an input step. */
export interface InputLinkCreate extends v.InferOutput<typeof InputLinkCreate> {}

export const InputLink = v.object({
  /** `link_…` */
  id: v.string(),
  /** URL of the form. Anyone with the URL can submit the form once. */
  url: v.string(),
  /** When the link expires, ISO 8601. It expires earlier when the step receives its input or the run ends. */
  expires_at: v.string(),
});
/** A link to the form of an input step, for people without an API key. */
export interface InputLink extends Readonly<v.InferOutput<typeof InputLink>> {}

const LINK_STATES = ["open", "early", "over", "expired"] as const;

export const ListedInputLink = v.object({
  /** `link_…` */
  id: v.string(),
  /** Title of the web page, or null. */
  title: v.nullable(v.string()),
  /** Language of the web page; null for that of the browser. */
  language: v.nullable(v.picklist(LANGUAGES)),
  /**
   * `open`: the form can be submitted. `early`: the run has not reached the step. `over`: the step has got its input, or the
   * run has ended. `expired`: its time is over.
   */
  state: v.picklist(LINK_STATES),
  /** User or API key that created it; null for your program, a step of a run, and sessions without a user. */
  created_by: v.nullable(Author),
  /** ISO 8601. */
  created_at: v.string(),
  /** When the link expires, ISO 8601. */
  expires_at: v.string(),
  /** When the form was submitted through this link, ISO 8601; null before, and if the step got its input otherwise. */
  used_at: v.nullable(v.string()),
});
/** A link to the form of an input step, without its URL, which nobody can read again. */
export interface ListedInputLink extends Readonly<v.InferOutput<typeof ListedInputLink>> {}

/** A link as stored. */
export interface InputLinkDocument extends SecretLink {
  readonly run_id: string;
  readonly step_key: string;
  readonly created_at: string;
  readonly created_by: Author | null;
  readonly used_at: string | null;
  /** Which wait of the step the link is for. */
  readonly wait: { readonly iteration: number; readonly retries: number };
  readonly language: Language | null;
  readonly title: string | null;
  readonly text: string | null;
  readonly markdown: string | null;
}
