/** A tag: a colored label on collections and records. */
import * as v from "valibot";
import { multipleValues, pageQuery, searchQuery, tokenQuery } from "../documents/pagination.ts";
import { list, Name, strictObject } from "../schema.ts";
import { dateOf } from "../time/iso.ts";

/** Maximum number of tags of a collection or record. Each is an entry of an index in memory. */
const MAX_TAGS = 100;
/** Maximum number of tags in the filter of a list. */
const MAX_TAGS_OF_FILTER = 20;

/** Ids of tags. Duplicates count once. */
export const TagIds = v.pipe(list(v.string()), v.maxLength(MAX_TAGS, `Must have at most ${MAX_TAGS} tags.`));

/** Filters a list by tags: finds items with any of them. */
export const tagsQuery = { tags: v.optional(multipleValues(v.string(), MAX_TAGS_OF_FILTER), []) } as const;

/** Free text, which UIs interpret. */
const color = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(64, "Must have at most 64 characters."),
);

export const TagCreate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: Name,
  /** Color for UIs: any text, 1 to 64 characters. @default gray */
  color: v.exactOptional(color, "gray"),
});
export interface TagCreate extends v.InferOutput<typeof TagCreate> {}

export const TagUpdate = strictObject({
  /** Name for people, 1 to 256 characters. */
  name: v.exactOptional(Name),
  /** Color for UIs: any text, 1 to 64 characters. */
  color: v.exactOptional(color),
});
/** Changes to a tag. Omitted fields keep their values. */
export interface TagUpdate extends v.InferOutput<typeof TagUpdate> {}

export const TagQuery = strictObject({ ...pageQuery, ...tokenQuery, ...searchQuery });
export interface TagQuery extends v.InferOutput<typeof TagQuery> {}

export const Tag = v.object({
  /** `tag_…` */
  id: v.string(),
  /** Name for people. */
  name: v.string(),
  /** Color for UIs. */
  color: v.string(),
  /** App that owns the tag. */
  app_id: v.string(),
  /** Date, `YYYY-MM-DD`. */
  created_at: v.string(),
  /** Date, `YYYY-MM-DD`. */
  updated_at: v.string(),
});
/** A colored label on collections and records. */
export interface Tag extends Readonly<v.InferOutput<typeof Tag>> {}

/** A tag as stored: with times where callers get dates. */
export type TagDocument = Tag;

export function tagView(document: TagDocument): Tag {
  return { ...document, created_at: dateOf(document.created_at), updated_at: dateOf(document.updated_at) };
}
