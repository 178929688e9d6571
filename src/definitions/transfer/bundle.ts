/** Definitions as one JSON document, to move them between apps and installations. */
import * as v from "valibot";
import { CollectionCreate } from "../../collections/collection.ts";
import { TagCreate } from "../../collections/tag.ts";
import { MAX_TRIGGERS, TriggerCreate } from "../../collections/triggers/trigger.ts";
import { isId } from "../../documents/references.ts";
import { ScheduleCreate } from "../../schedules/schedule.ts";
import { list, map, Name, strictObject, Visibility, wholeNumber } from "../../schema.ts";
import { WebhookCreate } from "../../webhooks/webhook.ts";
import { WorkflowTool } from "../../workflows/tools/workflow-tool.ts";
import { DraftPut } from "../../workflows/version.ts";
import { WorkflowCreate } from "../../workflows/workflow.ts";

/** Bytes of JSON that an export may have and an import accepts. */
export const MAX_BUNDLE_BYTES = 16 * 1024 * 1024;
/** Resources of each kind in one document. */
export const MAX_RESOURCES = 1_000;
/** Versions of one workflow in one document. */
export const MAX_VERSIONS = 100;

const idOf = (prefix: string) =>
  v.pipe(
    v.string(),
    v.check((id) => isId(prefix, id), `Must be an id of the form ${prefix}_….`),
  );

function upTo<const Item extends v.GenericSchema>(most: number, item: Item) {
  return v.pipe(list(item), v.maxLength(most, `Must have at most ${most} items.`));
}

const BundleVersion = strictObject({
  /** Id that references in the document use. */
  id: idOf("workv"),
  /** Number that references in the document use. An import renumbers versions from 1. */
  version: wholeNumber(1),
  /** Release notes. @default null */
  notes: v.exactOptional(v.nullable(v.string())),
  ...DraftPut.entries,
});

const BundleWorkflow = strictObject({
  /** Id that references in the document use. */
  id: idOf("work"),
  /** Name for people. */
  name: Name,
  /** Description. @default null */
  description: v.exactOptional(WorkflowCreate.entries.description.wrapped),
  /** Visibility of its versions. @default PRIVATE */
  visibility: v.exactOptional(Visibility),
  /** How it appears to agents; null if it is no tool. @default null */
  tool: v.exactOptional(v.nullable(WorkflowTool)),
  /** The draft. @default the definition of the last version */
  draft: v.exactOptional(DraftPut),
  /** Deployed versions, in ascending order. @default [] */
  versions: v.exactOptional(upTo(MAX_VERSIONS, BundleVersion)),
});
export interface BundleWorkflow extends v.InferOutput<typeof BundleWorkflow> {}

const { enabled: _enabled, ...trigger } = TriggerCreate.entries;
const BundleTrigger = strictObject({
  /** Id that references in the document use. */
  id: idOf("trig"),
  ...trigger,
});

const BundleCollection = strictObject({
  /** Id that references in the document use. */
  id: idOf("coll"),
  /** Name for people. */
  name: CollectionCreate.entries.name,
  /** Description. @default "" */
  description: CollectionCreate.entries.description,
  /** `PUBLIC` collections can be read without an API key. @default PRIVATE */
  visibility: CollectionCreate.entries.visibility,
  /** Rules, mappings and indexes. @default {} */
  config: CollectionCreate.entries.config,
  /** Ids of tags of the document, or of the app. @default [] */
  tags: v.exactOptional(CollectionCreate.entries.tags.wrapped),
  /** Triggers, without their secrets. Imported ones are disabled. @default [] */
  triggers: v.exactOptional(upTo(MAX_TRIGGERS, BundleTrigger)),
});
export interface BundleCollection extends v.InferOutput<typeof BundleCollection> {}

const BundleConnection = strictObject({
  /** Id that references in the document use. */
  id: idOf("con"),
  /** Name by which an import finds the connection in the app. */
  name: Name,
  /** Name of the service. */
  service: v.string(),
});

const BundleTag = strictObject({
  /** Id that references in the document use. */
  id: idOf("tag"),
  ...TagCreate.entries,
});

const { key: _key, ...schedule } = ScheduleCreate.entries;
const BundleSchedule = strictObject({
  /** Id that references in the document use. */
  id: idOf("sched"),
  ...schedule,
});
export interface BundleSchedule extends v.InferOutput<typeof BundleSchedule> {}

const BundleWebhook = strictObject({
  /** Id that references in the document use. */
  id: idOf("whk"),
  ...WebhookCreate.entries,
});
export interface BundleWebhook extends v.InferOutput<typeof BundleWebhook> {}

const Reuse = strictObject({
  /** Id of a workflow, collection or connection of the document. */
  id: v.string(),
  /** Id of the workflow, collection or connection of the app to use instead. */
  use_id: v.string(),
});

export const Bundle = strictObject({
  /** Always `stepwell`. */
  format: v.literal("stepwell", 'Must be "stepwell", as in every exported document.'),
  /** Version of the format. */
  format_version: v.literal(1, "Must be 1. A later release of Stepwell created this document; upgrade to import it."),
  /** Id of the workflow that was exported. Absent in the export of an app. */
  root: v.exactOptional(idOf("work")),
  /**
   * Number of the version that was exported; 0 for the draft. Import makes it the latest version, whatever other versions
   * the document has of the same workflow. Only with `root`. @default the last version
   */
  root_version: v.exactOptional(wholeNumber(0)),
  /** The workflows, with those that they run. @default [] */
  workflows: v.exactOptional(upTo(MAX_RESOURCES, BundleWorkflow), () => []),
  /** The collections that they use: their settings, rules, mappings and indexes. @default [] */
  collections: v.exactOptional(upTo(MAX_RESOURCES, BundleCollection), () => []),
  /** The connections that they use, without credentials. @default [] */
  connections: v.exactOptional(upTo(MAX_RESOURCES, BundleConnection), () => []),
  /** Tags. Only without `root`, as schedules and webhooks. @default [] */
  tags: v.exactOptional(upTo(MAX_RESOURCES, BundleTag)),
  /** Schedules, without what they have done. Import computes the time of the next run anew. @default [] */
  schedules: v.exactOptional(upTo(MAX_RESOURCES, BundleSchedule)),
  /** Outgoing webhooks, without their secrets. Imported ones are off. @default [] */
  webhooks: v.exactOptional(upTo(MAX_RESOURCES, BundleWebhook)),
  /** Only for import: resources of the app to use instead of those of the document. @default [] */
  reuse: v.exactOptional(upTo(3 * MAX_RESOURCES, Reuse)),
});
/**
 * Definitions as one JSON document: workflows, and the collections and connections that they use; of an app, also its tags,
 * schedules and webhooks.
 */
export interface Bundle extends v.InferOutput<typeof Bundle> {}
export interface BundleInput extends v.InferInput<typeof Bundle> {}

export const Imported = v.object({
  /** Id of the imported root workflow; null for the export of an app. */
  workflow_id: v.nullable(v.string()),
  /** For each id in the document, the id of the created or reused resource. */
  ids: map(v.string()),
  /** The secrets of the webhooks that were created. Only this call returns them; `webhooks.rotate` replaces one. */
  webhooks: list(
    v.object({
      /** `whk_…` */
      id: v.string(),
      /** Secret of the signatures (Standard Webhooks); null in the response to a repeat with the same `Idempotency-Key`. */
      secret: v.nullable(v.string()),
    }),
  ),
});
/** The result of an import. */
export interface Imported extends v.InferOutput<typeof Imported> {}
