/** A tag: a coloured word that collections of one app carry. */
import * as v from "valibot";
import { pageQuery, searchQuery } from "../documents/pagination.ts";
import { strictObject } from "../schema.ts";
import { dateOf } from "../time/iso.ts";
import { Name } from "./name.ts";

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
