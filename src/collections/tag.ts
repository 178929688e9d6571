/** A tag: a coloured word that collections of one app carry. */
import * as v from "valibot";
import { multipleValues, pageQuery, searchQuery } from "../documents/pagination.ts";
import { list, Name, strictObject } from "../schema.ts";
import { dateOf } from "../time/iso.ts";

/** Tags that one collection or record can carry; each is an entry of an index in memory. */
const MAX_TAGS = 100;
/** Tags that a list can be filtered by. */
const MAX_TAGS_OF_FILTER = 20;

/** Ids of the tags of something; one that stands there twice counts once. */
export const TagIds = v.pipe(list(v.string()), v.maxLength(MAX_TAGS, `Must have at most ${MAX_TAGS} tags.`));

/** For lists of what carries tags: any of them. */
export const tagsQuery = { tags: v.optional(multipleValues(v.string(), MAX_TAGS_OF_FILTER), []) } as const;

/** Free text: what a UI makes of it is its own affair. */
const color = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, "Must not be empty."),
  v.maxLength(64, "Must have at most 64 characters."),
);

export const TagCreate = strictObject({
  name: Name,
  color: v.exactOptional(color, "gray"),
});
export interface TagCreate extends v.InferOutput<typeof TagCreate> {}

export const TagUpdate = strictObject({
  name: v.exactOptional(Name),
  color: v.exactOptional(color),
});
export interface TagUpdate extends v.InferOutput<typeof TagUpdate> {}

export const TagQuery = strictObject({ ...pageQuery, ...searchQuery });
export interface TagQuery extends v.InferOutput<typeof TagQuery> {}

export const Tag = v.object({
  id: v.string(),
  name: v.string(),
  color: v.string(),
  app_id: v.string(),
  /** YYYY-MM-DD. */
  created_at: v.string(),
  /** YYYY-MM-DD. */
  updated_at: v.string(),
});
export interface Tag extends Readonly<v.InferOutput<typeof Tag>> {}

/** As stored: with instants where others see dates. */
export type TagDocument = Tag;

export function tagView(document: TagDocument): Tag {
  return { ...document, created_at: dateOf(document.created_at), updated_at: dateOf(document.updated_at) };
}
