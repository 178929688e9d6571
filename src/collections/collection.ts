/** A collection: a named group of records, with the rules and mappings that apply to them. */
import * as v from "valibot";
import { PublicApp } from "../apps/app.ts";
import { expectedRevision, revisionOf } from "../documents/expected-version.ts";
import { flag, pageQuery, searchQuery, tokenQuery } from "../documents/pagination.ts";
import { removalInQuery } from "../documents/removal.ts";
import { notFound } from "../errors.ts";
import type { Stored } from "../ports/store.ts";
import { list, Name, strictObject, Visibility } from "../schema.ts";
import { IndexPaths, IndexState, type RecordIndex } from "./indexes/record-index.ts";
import { Mapping } from "./mapping.ts";
import { Rule, RuleInputs } from "./rule.ts";
import { Tag, TagIds, tagsQuery } from "./tag.ts";
import { Trigger, TriggerCreates, TriggerReplaces } from "./triggers/trigger.ts";

const description = v.pipe(v.string(), v.maxLength(10_240, "Must have at most 10240 characters."));
const config = strictObject({
  /** Rules: workflows that check each written record, at most 500. @default [] */
  rules: v.exactOptional(RuleInputs),
  /** Mappings: fields to copy when a record is written, in order. @default [] */
  mappings: v.exactOptional(list(Mapping)),
  /** Indexed fields, as `entity:field`, at most 16. @default [] */
  indexes: v.exactOptional(IndexPaths),
});

export const CollectionCreate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: Name,
  /** Description, at most 10,240 characters. @default "" */
  description: v.exactOptional(description, ""),
  /** `PUBLIC` collections can be read without an API key. @default PRIVATE */
  visibility: v.exactOptional(Visibility, "PRIVATE"),
  /** Ids of tags, at most 100. @default [] */
  tags: v.exactOptional(TagIds, () => []),
  /** Rules, mappings and indexes. @default {} */
  config: v.exactOptional(config, () => ({})),
  /** Triggers, which turn events of other systems into records, at most 500. @default [] */
  triggers: v.exactOptional(TriggerCreates, () => []),
});
export interface CollectionCreate extends v.InferOutput<typeof CollectionCreate> {}

export const CollectionUpdate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: v.exactOptional(Name),
  /** Description, at most 10,240 characters. */
  description: v.exactOptional(description),
  /** `PUBLIC` collections can be read without an API key. */
  visibility: v.exactOptional(Visibility),
  /** Ids of tags, at most 100. */
  tags: v.exactOptional(TagIds),
  /** Rules, mappings and indexes. An omitted list keeps its value. */
  config: v.exactOptional(config),
  /** Triggers, at most 500. One with the `id` of a stored trigger replaces it. */
  triggers: v.exactOptional(TriggerReplaces),
  ...expectedRevision,
});
export interface CollectionUpdate extends v.InferOutput<typeof CollectionUpdate> {}

export const CollectionRemoval = strictObject(removalInQuery);

export const CollectionQuery = strictObject({
  ...pageQuery,
  ...tokenQuery,
  ...searchQuery,
  ...tagsQuery,
  visibility: v.exactOptional(Visibility),
  /** Whether to list the deleted collections instead of the others. */
  deleted: v.optional(flag, false),
});
export interface CollectionQuery extends v.InferOutput<typeof CollectionQuery> {}

export const CollectionConfig = v.object({
  /** `conf_…` */
  id: v.string(),
  /** Workflows that check each record. */
  rules: list(Rule),
  /** Fields to copy when a record is written, in order. */
  mappings: list(Mapping),
  /** Indexed fields, as `entity:field`. */
  indexes: list(v.string()),
  /** The state of each index. */
  index_states: list(IndexState),
  /** Date, `YYYY-MM-DD`. */
  created_at: v.string(),
  /** Date, `YYYY-MM-DD`. */
  updated_at: v.string(),
});
/** Rules, mappings and indexes of a collection. */
export interface CollectionConfig extends v.InferOutput<typeof CollectionConfig> {
  /** Workflows that check each record. */
  rules: readonly Rule[];
  /** Fields to copy when a record is written, in order. */
  mappings: readonly Mapping[];
  /** Indexed fields, as `entity:field`. */
  indexes: readonly string[];
  /** The state of each index. */
  index_states: readonly IndexState[];
}

export const Collection = v.object({
  /** `coll_…` */
  id: v.string(),
  /** Name for people. */
  name: v.string(),
  /** Description; empty if there is none. */
  description: v.string(),
  /** App that owns the collection. */
  app: PublicApp,
  /** Rules, mappings and indexes. */
  config: CollectionConfig,
  /** `PUBLIC` collections can be read without an API key. */
  visibility: Visibility,
  /** Tags of the collection. */
  tags: list(Tag),
  /** Number of records. */
  records_count: v.number(),
  /** Whether the collection was deleted. */
  deleted: v.boolean(),
  /** Triggers, which turn events of other systems into records. */
  triggers: list(Trigger),
  /**
   * Increases with each change of the collection, its rules, mappings and triggers, but not with its records. Over HTTP
   * also the `ETag`.
   */
  revision: v.number(),
  /** Date, `YYYY-MM-DD`. */
  created_at: v.string(),
  /** Date, `YYYY-MM-DD`. */
  updated_at: v.string(),
  /** URL of the collection in the console. */
  link: v.string(),
});
/** A collection of records. */
export interface Collection extends Readonly<v.InferOutput<typeof Collection>> {
  /** App that owns the collection. */
  readonly app: PublicApp;
  /** Rules, mappings and indexes. */
  readonly config: CollectionConfig;
  /** `PUBLIC` collections can be read without an API key. */
  readonly visibility: Visibility;
  /** Tags of the collection. */
  readonly tags: readonly Tag[];
  /** Triggers, which turn events of other systems into records. */
  readonly triggers: readonly Trigger[];
}

/** A collection as stored: with ids of the app and of tags, and with times where callers get dates. */
export interface CollectionDocument
  extends Omit<Collection, "app" | "tags" | "link" | "records_count" | "config" | "revision"> {
  readonly app_id: string;
  /** Without `indexes` in documents of earlier versions. */
  readonly config: Omit<CollectionConfig, "indexes" | "index_states"> & { readonly indexes?: readonly string[] };
  /** The indexes, including those that are being removed. Absent if the collection never had one. */
  readonly indexes?: readonly RecordIndex[];
  /** Absent in documents of earlier versions. */
  readonly revision?: number;
  /** Whether a record was ever written to it. Absent in documents of earlier versions. */
  readonly has_records?: boolean;
  readonly tags: readonly string[];
}

/** The fields that every change by a caller sets. */
export function changedAt(before: CollectionDocument, now: string) {
  return { revision: revisionOf(before) + 1, updated_at: now };
}

/** Whether the collection is hidden from callers without a key. */
export function isHidden({ visibility, deleted }: CollectionDocument): boolean {
  return visibility !== "PUBLIC" || deleted;
}

/** @throws StepwellError `not_found` */
export function requireCollection(
  appId: string,
  collectionId: string,
  found: Stored<CollectionDocument> | null,
): Stored<CollectionDocument> {
  if (found === null || found.document.app_id !== appId) throw notFound("collection", collectionId);
  return found;
}
