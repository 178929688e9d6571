/** A collection: a named group of records with what is done to them. */
import * as v from "valibot";
import { PublicApp } from "../apps/app.ts";
import { flag, pageQuery, searchQuery } from "../documents/pagination.ts";
import { list, Name, strictObject, Visibility } from "../schema.ts";
import { Mapping } from "./mapping.ts";
import { Rule, RuleInputs } from "./rule.ts";
import { Tag, TagIds, tagsQuery } from "./tag.ts";
import { Trigger, TriggerCreate, TriggerReplace } from "./trigger.ts";

const description = v.pipe(v.string(), v.maxLength(10_240, "Must have at most 10240 characters."));
const config = strictObject({
  rules: v.exactOptional(RuleInputs),
  mappings: v.exactOptional(list(Mapping)),
});

export const CollectionCreate = strictObject({
  name: Name,
  description: v.exactOptional(description, ""),
  visibility: v.exactOptional(Visibility, "PRIVATE"),
  tags: v.exactOptional(TagIds, () => []),
  config: v.exactOptional(config, () => ({})),
  triggers: v.exactOptional(list(TriggerCreate), () => []),
});
export interface CollectionCreate extends v.InferOutput<typeof CollectionCreate> {}

/** A list that is given replaces the one that is there. */
export const CollectionUpdate = strictObject({
  name: v.exactOptional(Name),
  description: v.exactOptional(description),
  visibility: v.exactOptional(Visibility),
  tags: v.exactOptional(TagIds),
  config: v.exactOptional(config),
  triggers: v.exactOptional(list(TriggerReplace)),
});
export interface CollectionUpdate extends v.InferOutput<typeof CollectionUpdate> {}

export const CollectionQuery = strictObject({
  ...pageQuery,
  ...searchQuery,
  ...tagsQuery,
  visibility: v.exactOptional(Visibility),
  /** Those that were deleted, instead of those that were not. */
  deleted: v.optional(flag, false),
});
export interface CollectionQuery extends v.InferOutput<typeof CollectionQuery> {}

export const CollectionConfig = v.object({
  id: v.string(),
  rules: list(Rule),
  mappings: list(Mapping),
  created_at: v.string(),
  updated_at: v.string(),
});
export interface CollectionConfig extends v.InferOutput<typeof CollectionConfig> {
  rules: Rule[];
  mappings: Mapping[];
}

/** All dates in it are YYYY-MM-DD. */
export const Collection = v.object({
  id: v.string(),
  name: v.string(),
  description: v.string(),
  app: PublicApp,
  config: CollectionConfig,
  visibility: Visibility,
  tags: list(Tag),
  records_count: v.number(),
  deleted: v.boolean(),
  triggers: list(Trigger),
  created_at: v.string(),
  updated_at: v.string(),
  /** Where people find it. */
  link: v.string(),
});
export interface Collection extends Readonly<v.InferOutput<typeof Collection>> {
  readonly app: PublicApp;
  readonly config: CollectionConfig;
  readonly visibility: Visibility;
  readonly tags: Tag[];
  readonly triggers: Trigger[];
}

/** As stored: with ids of the app and of tags, and instants where others see dates. */
export interface CollectionDocument extends Omit<Collection, "app" | "tags" | "link" | "records_count"> {
  readonly app_id: string;
  /** Whether a record was ever to be written to it. Left out by earlier versions. */
  readonly has_records?: boolean;
  readonly tags: readonly string[];
}
