/** Creates, updates, lists and deletes collections. Deleted ones remain readable. */

import type { Apps } from "../apps/apps.ts";
import { listPage, updateDocument } from "../documents/documents.ts";
import { bothOf, checkRevision } from "../documents/expected-version.ts";
import type { Page } from "../documents/pagination.ts";
import type { Receipt } from "../documents/receipt.ts";
import { retryOnConflict } from "../documents/retry-on-conflict.ts";
import type { UseGuard } from "../documents/use-guard.ts";
import { existingIn } from "../documents/uses.ts";
import { notFound, StepwellError } from "../errors.ts";
import { omitUndefined } from "../json.ts";
import { invalid } from "../messages/field-errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Change, Store, Stored } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import type { CheckRules } from "./check-rules.ts";
import {
  type Collection,
  type CollectionConfig,
  type CollectionCreate,
  type CollectionDocument,
  type CollectionUpdate,
  changedAt,
  isHidden,
  requireCollection,
} from "./collection.ts";
import {
  type CollectionsQuery,
  collectionKey,
  listOf,
  putCollection,
  rowQuery,
  usesOf,
  withoutUsesOfOthers,
} from "./collection-rows.ts";
import { createCollectionViews } from "./collection-view.ts";
import { hasIndexWork, replaceIndexes } from "./indexes/record-index.ts";
import { newCollection } from "./new-collection.ts";
import type { Tags } from "./tags.ts";
import type { CheckTriggers } from "./triggers/check-triggers.ts";
import { replaceTriggers, type Trigger } from "./triggers/trigger.ts";
import { isTriggerKey, type TriggerStates } from "./triggers/trigger-state.ts";

export interface Collections {
  /**
   * @throws StepwellError `invalid` with a JSON Pointer for each unknown tag, workflow of a rule, and type or connection of a
   * trigger, for input of a rule that its workflow does not accept, and for settings that the type of a trigger rejects
   */
  create(appId: string, input: CollectionCreate, receipt: Receipt): Promise<Collection>;
  /**
   * Returns a collection, even a deleted one unless `onlyPublic`.
   * @param onlyPublic Whether to hide PRIVATE collections.
   * @throws StepwellError `not_found`
   */
  get(appId: string, collectionId: string, onlyPublic: boolean): Promise<Collection>;
  /** Lists the collections, or the deleted ones with `deleted`. */
  list(appId: string, query: CollectionsQuery, onlyPublic: boolean): Promise<Page<Collection>>;
  /**
   * @param revisions Revisions of which the collection must have one; undefined for any.
   * @throws StepwellError `not_found`, including for a deleted collection; `invalid` as `create`, and for unknown triggers;
   * `precondition_failed`
   */
  update(
    appId: string,
    collectionId: string,
    input: CollectionUpdate,
    revisions?: readonly number[],
  ): Promise<Collection>;
  /**
   * Changes the rules or mappings of a collection. `decide` may be called several times.
   * @param alsoCommit Changes to commit with it.
   * @throws StepwellError `not_found`, including for a deleted collection
   */
  changeConfig(
    appId: string,
    collectionId: string,
    decide: (before: StoredConfig) => ConfigChange | Promise<ConfigChange>,
    alsoCommit?: readonly Change[],
  ): Promise<StoredConfig>;
  /**
   * Changes the triggers.
   * @param alsoCommit Changes to commit with them.
   * @throws StepwellError `not_found`, including for a deleted collection
   */
  changeTriggers(
    appId: string,
    collectionId: string,
    decide: (before: readonly Trigger[]) => Trigger[] | Promise<Trigger[]>,
    alsoCommit?: readonly Change[],
  ): Promise<readonly Trigger[]>;
  /**
   * Returns the document of a collection, to write a record.
   * @throws StepwellError `not_found`, including for a deleted collection
   */
  forWriting(appId: string, collectionId: string): Promise<CollectionDocument>;
  /**
   * Marks a collection as deleted. It can still be read and listed with `deleted`, but no longer changed.
   * @param alsoCommit Changes to commit with it.
   * @throws StepwellError `precondition_failed` if it has none of the revisions
   */
  remove(
    appId: string,
    collectionId: string,
    revisions?: readonly number[],
    alsoCommit?: readonly Change[],
  ): Promise<void>;
  /**
   * Restores a deleted collection, with its records and triggers. Rules and triggers whose workflow or connection was deleted
   * meanwhile become disabled.
   * @throws StepwellError `not_found`; `conflict` if the collection is not deleted
   */
  restore(appId: string, collectionId: string): Promise<Collection>;
}

export type ConfigChange = Partial<Pick<CollectionConfig, "rules" | "mappings">>;
/** The config as stored. */
export type StoredConfig = CollectionDocument["config"];

export function createCollections(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  apps: Pick<Apps, "get">;
  tags: Pick<Tags, "find" | "check">;
  checkRules: CheckRules;
  checkTriggers: CheckTriggers;
  triggerStates: Pick<TriggerStates, "changes" | "committed">;
  uses: Pick<UseGuard, "restored">;
  /** Called when indexes are to be built or removed. */
  onIndexesChanged(collectionId: string): void;
  /** Base URL of links. */
  baseUrl: string;
}): Collections {
  const { store, clock, ids, tags, checkRules, checkTriggers, triggerStates } = parts;
  const { onIndexesChanged } = parts;
  const views = createCollectionViews(parts);
  const newIndexId = () => ids.next("idx");

  async function change(
    appId: string,
    collectionId: string,
    decide: (before: CollectionDocument) => CollectionDocument | Promise<CollectionDocument>,
    alsoCommit: readonly Change[] = [],
  ): Promise<CollectionDocument> {
    const update = async (found: Stored<CollectionDocument> | null) => {
      const { document: before, version } = requireCollection(appId, collectionId, found);
      if (before.deleted) throw notFound("collection", collectionId);
      const document = await decide(before);
      const change = putCollection(document, { document: before, version });
      const states = await triggerStates.changes(document, before.triggers);
      return { changes: [change, ...states, ...alsoCommit], result: { document, before } };
    };
    // A poll of one of the triggers may be stored meanwhile.
    return retryOnConflict(isTriggerKey, async () => {
      const { document, before } = await updateDocument(store, collectionKey(collectionId), update);
      triggerStates.committed(document, before.triggers);
      return document;
    });
  }

  return {
    async create(appId, input, receipt) {
      const errors = [
        ...(await tags.check(appId, input.tags)),
        ...(await checkRules(appId, input.config.rules ?? [])),
        ...(await checkTriggers(appId, [], input.triggers)),
      ];
      if (errors.length > 0) throw invalid(errors);
      const now = instant(clock.now());
      const id = ids.next("coll");
      const triggers = replaceTriggers({ id, triggers: [] }, input.triggers, ids, now);
      const document = newCollection({ ...input, app_id: appId, id, triggers }, ids, now);
      const collection = await views.one(document);
      const changes = [putCollection(document, null), ...receipt(collection)];
      await store.commit([...changes, ...(await triggerStates.changes(document, []))]);
      triggerStates.committed(document, []);
      return collection;
    },

    async get(appId, collectionId, onlyPublic) {
      const { document } = requireCollection(
        appId,
        collectionId,
        await store.get<CollectionDocument>(collectionKey(collectionId)),
      );
      if (onlyPublic && isHidden(document)) throw notFound("collection", collectionId);
      return views.one(document);
    },

    async list(appId, query, onlyPublic) {
      const wanted = await tags.find(appId, query.tags);
      const rows = rowQuery(query, [...wanted.keys()], onlyPublic);
      const list = listOf(appId, query.deleted);
      const page = await listPage<CollectionDocument, CollectionDocument>(
        store,
        list,
        rows,
        collectionKey,
        (found) => found,
      );
      // Rows are selected before documents are read, so skip a collection that was hidden or deleted meanwhile.
      const shown = page.items.filter((found) => found.deleted === query.deleted && !(onlyPublic && isHidden(found)));
      return { ...page, items: await views.all(appId, shown) };
    },

    async update(appId, collectionId, { config, triggers, expected_revision, ...input }, revisions) {
      const expected = bothOf(expected_revision, revisions);
      const document = await change(appId, collectionId, async (before) => {
        checkRevision("collection", before, expected);
        const errors = [
          ...(await tags.check(appId, input.tags ?? [])),
          ...(await checkRules(appId, config?.rules ?? [])),
          ...(await checkTriggers(appId, before.triggers, triggers ?? [])),
        ];
        if (errors.length > 0) throw invalid(errors);
        const now = instant(clock.now());
        return {
          ...before,
          ...input,
          ...omitUndefined({
            tags: input.tags && [...new Set(input.tags)],
            config: config && { ...before.config, ...config, updated_at: now },
            indexes:
              config?.indexes &&
              replaceIndexes(before.indexes, config.indexes, newIndexId, before.has_records === false),
            triggers: triggers && replaceTriggers(before, triggers, ids, now),
          }),
          ...changedAt(before, now),
        };
      });
      if (hasIndexWork(document.indexes)) onIndexesChanged(collectionId);
      return views.one(document);
    },

    async changeConfig(appId, collectionId, decide, alsoCommit) {
      const changed = async (before: CollectionDocument) => {
        const updated_at = instant(clock.now());
        const config = { ...before.config, ...(await decide(before.config)), updated_at };
        return { ...before, config, ...changedAt(before, updated_at) };
      };
      return (await change(appId, collectionId, changed, alsoCommit)).config;
    },

    async changeTriggers(appId, collectionId, decide, alsoCommit) {
      const changed = async (before: CollectionDocument) => {
        const triggers = await decide(before.triggers);
        return { ...before, triggers, ...changedAt(before, instant(clock.now())) };
      };
      return (await change(appId, collectionId, changed, alsoCommit)).triggers;
    },

    async forWriting(appId, collectionId) {
      const { document } = requireCollection(
        appId,
        collectionId,
        await store.get<CollectionDocument>(collectionKey(collectionId)),
      );
      if (document.deleted) throw notFound("collection", collectionId);
      if (document.has_records === true) return document;
      return change(appId, collectionId, (before) => ({ ...before, has_records: true }));
    },

    async remove(appId, collectionId, revisions, alsoCommit) {
      const deleted = (before: CollectionDocument) => {
        checkRevision("collection", before, revisions);
        return { ...before, deleted: true, ...changedAt(before, instant(clock.now())) };
      };
      await change(appId, collectionId, deleted, alsoCommit);
    },

    async restore(appId, collectionId) {
      const key = collectionKey(collectionId);
      const decide = async (found: Stored<CollectionDocument> | null) => {
        const { document: before, version } = requireCollection(appId, collectionId, found);
        if (!before.deleted) throw new StepwellError("conflict", "The collection is not deleted.");
        const restored = { ...before, deleted: false, ...changedAt(before, instant(clock.now())) };
        const existing = new Set(await existingIn(store, appId, usesOf(restored)));
        const document = withoutUsesOfOthers(restored, existing);
        const change = putCollection(document, { document: before, version });
        const rows = [...(change.rows ?? []), { list: listOf(appId, true), delete: collectionId }];
        return { changes: [{ ...change, rows }], result: document };
      };
      const restored = await updateDocument<CollectionDocument, CollectionDocument>(store, key, decide);
      parts.uses.restored(collectionId);
      return views.one(restored);
    },
  };
}
