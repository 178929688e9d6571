/** Creates, updates and deletes tags, and looks them up for collections and records. */

import { listPage, updateDocument } from "../documents/documents.ts";
import { foldText, type Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { type FieldError, missingText, notFound } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Key, Row, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { type Tag, type TagCreate, type TagDocument, type TagQuery, type TagUpdate, tagView } from "./tag.ts";

export interface Tags {
  create(appId: string, input: TagCreate, receipt: Receipt): Promise<Tag>;
  /** @throws StepwellError `not_found` */
  get(appId: string, tagId: string): Promise<Tag>;
  list(appId: string, query: TagQuery): Promise<Page<Tag>>;
  update(appId: string, tagId: string, input: TagUpdate): Promise<Tag>;
  /** Deletes the tag. It disappears from all collections and records at once. */
  remove(appId: string, tagId: string): Promise<void>;
  /** Those of the tags that the app has, by id. Returns the same object until a tag changes. */
  find(appId: string, tagIds: readonly string[]): Promise<ReadonlyMap<string, Tag>>;
  /** Checks that the app has the tags. */
  check(appId: string, tagIds: readonly string[]): Promise<FieldError[]>;
}

export const tagsOf = (appId: string) => `tags.${appId}`;
export const tagKey = (tagId: string): Key => `tag:${tagId}`;
const rowOf = (tag: TagDocument): Row => ({ id: tag.id, text: foldText(tag.name) });
/** The change that stores a tag. @param expected Its version; undefined for a new one. */
export const putTag = (document: TagDocument, expected?: number): Change => ({
  ...{ key: tagKey(document.id), document, expected, rows: [{ list: tagsOf(document.app_id), put: rowOf(document) }] },
});
const NO_TAGS: ReadonlyMap<string, Tag> = new Map();

export function createTags({ store, clock, ids }: { store: Store; clock: Clock; ids: Ids }): Tags {
  /** The store returns the same object until the document changes, so the view can be cached by it. */
  const views = new WeakMap<TagDocument, Tag>();

  function view(document: TagDocument): Tag {
    let tag = views.get(document);
    if (tag === undefined) {
      tag = Object.freeze(tagView(document));
      views.set(document, tag);
    }
    return tag;
  }

  function requireTag(appId: string, tagId: string, found: Stored<TagDocument> | null): Stored<TagDocument> {
    if (found === null || found.document.app_id !== appId) throw notFound("tag", tagId);
    return found;
  }

  async function find(appId: string, tagIds: readonly string[]): Promise<ReadonlyMap<string, Tag>> {
    if (tagIds.length === 0) return NO_TAGS;
    const found = await store.getMany<TagDocument>(tagIds.map(tagKey));
    return new Map(
      found.flatMap((stored) =>
        stored?.document.app_id === appId ? [[stored.document.id, view(stored.document)]] : [],
      ),
    );
  }

  return {
    async create(appId, input, receipt) {
      const now = instant(clock.now());
      const document: TagDocument = { id: ids.next("tag"), ...input, app_id: appId, created_at: now, updated_at: now };
      const tag = tagView(document);
      await store.commit([putTag(document), ...receipt(tag)]);
      return tag;
    },

    async get(appId, tagId) {
      return view(requireTag(appId, tagId, await store.get<TagDocument>(tagKey(tagId))).document);
    },

    list: (appId, query) => listPage<TagDocument, Tag>(store, tagsOf(appId), query, tagKey, view),

    update: (appId, tagId, input) =>
      updateDocument<TagDocument, Tag>(store, tagKey(tagId), (found) => {
        const { document: before, version } = requireTag(appId, tagId, found);
        const document: TagDocument = { ...before, ...input, updated_at: instant(clock.now()) };
        return { changes: [putTag(document, version)], result: tagView(document) };
      }),

    remove: (appId, tagId) =>
      updateDocument<TagDocument, void>(store, tagKey(tagId), (found) => {
        const { version } = requireTag(appId, tagId, found);
        const rows = [{ list: tagsOf(appId), delete: tagId }];
        return { changes: [{ key: tagKey(tagId), document: null, expected: version, rows }], result: undefined };
      }),

    find,

    async check(appId, tagIds) {
      const found = await find(appId, tagIds);
      return tagIds.flatMap((id, index) =>
        found.has(id) ? [] : [{ pointer: `/tags/${index}`, message: missingText("tag", id) }],
      );
    },
  };
}
