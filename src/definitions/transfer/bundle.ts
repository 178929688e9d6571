/** Definitions as one JSON document, to move them between apps and installations. */
import * as v from "valibot";
import { CollectionCreate } from "../../collections/collection.ts";
import { list, map, Name, strictObject, Visibility, wholeNumber } from "../../schema.ts";
import { DraftPut } from "../../workflows/version.ts";
import { WorkflowCreate } from "../../workflows/workflow.ts";

/** Bytes of JSON that an export may have and an import accepts. */
export const MAX_BUNDLE_BYTES = 16 * 1024 * 1024;
/** Workflows, collections or connections in one document. */
const MAX_RESOURCES = 1_000;
/** Versions of one workflow in one document. */
const MAX_VERSIONS = 100;

const ID = /^_[0-9a-z]{26}$/;

const idOf = (prefix: string) =>
  v.pipe(
    v.string(),
    v.check(
      (id) => id.startsWith(`${prefix}_`) && ID.test(id.slice(prefix.length)),
      `Must be an id of the form ${prefix}_….`,
    ),
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
  /** The draft. @default the definition of the last version */
  draft: v.exactOptional(DraftPut),
  /** Deployed versions, in ascending order. @default [] */
  versions: v.exactOptional(upTo(MAX_VERSIONS, BundleVersion)),
});
export interface BundleWorkflow extends v.InferOutput<typeof BundleWorkflow> {}

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
});

const BundleConnection = strictObject({
  /** Id that references in the document use. */
  id: idOf("con"),
  /** Name by which an import finds the connection in the app. */
  name: Name,
  /** Name of the service. */
  service: v.string(),
});

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
  /** The workflows, with those that they run. @default [] */
  workflows: v.exactOptional(upTo(MAX_RESOURCES, BundleWorkflow), () => []),
  /** The collections that they use: their settings, rules, mappings and indexes. @default [] */
  collections: v.exactOptional(upTo(MAX_RESOURCES, BundleCollection), () => []),
  /** The connections that they use, without credentials. @default [] */
  connections: v.exactOptional(upTo(MAX_RESOURCES, BundleConnection), () => []),
  /** Only for import: resources of the app to use instead of those of the document. @default [] */
  reuse: v.exactOptional(upTo(3 * MAX_RESOURCES, Reuse)),
});
/** Definitions as one JSON document: workflows, and the collections and connections that they use. */
export interface Bundle extends v.InferOutput<typeof Bundle> {}
export interface BundleInput extends v.InferInput<typeof Bundle> {}

export const Imported = v.object({
  /** Id of the imported root workflow; null for the export of an app. */
  workflow_id: v.nullable(v.string()),
  /** For each id in the document, the id of the created or reused resource. */
  ids: map(v.string()),
});
/** The result of an import. */
export interface Imported extends v.InferOutput<typeof Imported> {}
