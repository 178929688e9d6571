/** The routes of collections, records and tags. */
import { type Caller, nestingOf, onlyPublic } from "../calls/caller.ts";
import { bothOf, checkRevision, checkVersion, partlyVersioned } from "../documents/expected-version.ts";
import { type Removal, removalOf } from "../documents/removal.ts";
import { MEBIBYTE } from "../encoding/bytes.ts";
import { created, nothing, one, pageOf, route, withVersion } from "../http/route.ts";
import { read, write } from "./access.ts";
import type { BulkWrites } from "./bulk/bulk-write.ts";
import { BulkResult, RecordBulk } from "./bulk/record-operation.ts";
import { Collection, CollectionCreate, CollectionQuery, CollectionRemoval, CollectionUpdate } from "./collection.ts";
import type { Collections } from "./collections.ts";
import { evaluateMany } from "./evaluation/routes.ts";
import type { RecordHistory } from "./history/history.ts";
import { HistoryEntry, HistoryQuery, RecordQueryOne } from "./history/record-history.ts";
import { RecordQuery } from "./records/find/record-query.ts";
import {
  CollectionRecord,
  isPending,
  RecordCreate,
  RecordRemoval,
  RecordUpdate,
  RecordUpsert,
} from "./records/record.ts";
import { isWholeVersion } from "./records/record-view.ts";
import type { Records } from "./records/records.ts";
import { writerOf } from "./records/writer.ts";
import { Tag, TagCreate, TagQuery, TagUpdate } from "./tag.ts";
import type { Tags } from "./tags.ts";
import { exportRecords, importRecords } from "./transfer/routes.ts";

export interface Slices {
  readonly removals: {
    remove(
      used: { readonly app_id: string; readonly id: string; readonly kind: "collection" },
      removal: Removal,
      caller: Caller,
    ): Promise<void>;
  };
  readonly collections: Collections;
  readonly records: Records;
  readonly recordHistory: RecordHistory;
  readonly bulkWrites: BulkWrites;
  readonly tags: Tags;
}

export const collectionRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/collections",
    ...write,
    summary: "Create a collection with its rules, mappings, tags and triggers.",
    body: CollectionCreate,
    answers: withVersion(created(Collection), partlyVersioned),
    run: ({ collections }: Slices, { params, body, receipt }) => collections.create(params.app_id, body, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/collections",
    access: "public",
    scope: "collections:read",
    summary: "List the collections of an app, newest first. Without a key, only PUBLIC collections.",
    query: CollectionQuery,
    answers: pageOf(Collection),
    run: ({ collections }: Slices, { params, query, caller }) =>
      collections.list(params.app_id, query, onlyPublic(caller)),
  }),
  get: route({
    method: "GET",
    path: "/apps/{app_id}/collections/{collection_id}",
    access: "public",
    scope: "collections:read",
    summary: "Get a collection, including a deleted one.",
    answers: withVersion(one(Collection), partlyVersioned),
    isVersioned: true,
    async run({ collections }: Slices, { params, caller, versions }) {
      const collection = await collections.get(params.app_id, params.collection_id, onlyPublic(caller));
      checkRevision("collection", collection, versions);
      return collection;
    },
  }),
  update: route({
    method: "PATCH",
    path: "/apps/{app_id}/collections/{collection_id}",
    ...write,
    summary: "Update a collection. A list in the body replaces the stored list.",
    body: CollectionUpdate,
    answers: withVersion(one(Collection), partlyVersioned),
    isVersioned: true,
    run: ({ collections }: Slices, { params, body, versions }) =>
      collections.update(params.app_id, params.collection_id, body, versions),
  }),
  remove: route({
    method: "DELETE",
    path: "/apps/{app_id}/collections/{collection_id}",
    ...write,
    summary: "Delete a collection. Lists with `deleted=true` still include it.",
    query: CollectionRemoval,
    answers: nothing(),
    isVersioned: true,
    run: ({ removals }: Slices, { params, query, versions, caller }) =>
      removals.remove(
        { app_id: params.app_id, id: params.collection_id, kind: "collection" },
        removalOf(query, versions),
        caller,
      ),
  }),
  restore: route({
    method: "POST",
    path: "/apps/{app_id}/collections/{collection_id}/restore",
    ...write,
    summary: "Restore a deleted collection with its records.",
    answers: withVersion(one(Collection), partlyVersioned),
    run: ({ collections }: Slices, { params }) => collections.restore(params.app_id, params.collection_id),
  }),
};

/** Writes of records wait for the rules. */
const settle = {
  isDone: (record: CollectionRecord) => !isPending(record),
  wait: (
    { records }: Slices,
    { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal | undefined },
    record: CollectionRecord,
  ) => records.settle(record, nestingOf(caller), signal),
};

/** Maximum bytes of the body of a bulk call. */
const MAX_BULK_BYTES = 16 * MEBIBYTE;

/** Results of rules, renamed tags and deleted files change the response without changing the version. */
const versioned = { versionOf: ({ version }: CollectionRecord) => version, isWholeVersion };

export const recordRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/collections/{collection_id}/records",
    ...write,
    summary: "Create a record. The response waits up to 10 seconds for the rules of the collection.",
    body: RecordCreate,
    answers: withVersion(created(CollectionRecord), versioned),
    run: ({ records }: Slices, { params, body, receipt, caller }) =>
      records.create(params, body, receipt, writerOf(caller)),
    settle,
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/collections/{collection_id}/records",
    ...read,
    summary: "List the records of a collection, newest first.",
    query: RecordQuery,
    answers: pageOf(CollectionRecord),
    run: ({ records }: Slices, { params, query }) => records.list(params, query),
  }),
  upsert: route({
    method: "POST",
    path: "/apps/{app_id}/collections/{collection_id}/records/upsert",
    ...write,
    summary: "Update the record whose field has a given value, or create it.",
    body: RecordUpsert,
    answers: withVersion(one(CollectionRecord), versioned),
    repeatable: true,
    run: ({ records }: Slices, { params, body, receipt, caller }) =>
      records.upsert(params, body, receipt, writerOf(caller)),
    settle,
  }),
  bulk: route({
    method: "POST",
    path: "/apps/{app_id}/collections/{collection_id}/records/bulk",
    ...write,
    summary:
      "Execute up to 1,000 operations (create, update, upsert) and return an outcome for each. Does not wait for rules.",
    body: RecordBulk,
    bodyBytes: MAX_BULK_BYTES,
    answers: one(BulkResult),
    repeatable: "in parts",
    run: ({ bulkWrites }: Slices, { params, body, caller, parts }) =>
      bulkWrites.write(params, body, writerOf(caller), parts),
  }),
  import: importRecords,
  export: exportRecords,
  get: route({
    method: "GET",
    path: "/apps/{app_id}/collections/{collection_id}/records/{record_id}",
    ...read,
    summary: "Get a record, or an earlier version of it.",
    query: RecordQueryOne,
    answers: withVersion(one(CollectionRecord), versioned),
    isVersioned: true,
    async run({ records, recordHistory }: Slices, { params, query: { version }, versions }) {
      const record = await (version === undefined ? records.get(params) : recordHistory.version(params, version));
      checkVersion("record", record, versions);
      return record;
    },
  }),
  history: route({
    method: "GET",
    path: "/apps/{app_id}/collections/{collection_id}/records/{record_id}/history",
    ...read,
    summary: "List the changes of a record, newest first. Available until 30 days after its deletion.",
    query: HistoryQuery,
    answers: pageOf(HistoryEntry),
    run: ({ recordHistory }: Slices, { params, query }) => recordHistory.list(params, query),
  }),
  update: route({
    method: "PATCH",
    path: "/apps/{app_id}/collections/{collection_id}/records/{record_id}",
    ...write,
    summary: "Update fields of a record. `null` removes a field.",
    body: RecordUpdate,
    answers: withVersion(one(CollectionRecord), versioned),
    isVersioned: true,
    run: ({ records }: Slices, { params, body, caller, versions }) =>
      records.update(params, body, writerOf(caller), versions),
    settle,
  }),
  evaluate: route({
    method: "POST",
    path: "/apps/{app_id}/collections/{collection_id}/records/{record_id}/evaluate",
    ...write,
    summary: "Re-evaluate the rules on a record.",
    answers: withVersion(one(CollectionRecord), versioned),
    isVersioned: true,
    run: ({ records }: Slices, { params, caller, versions }) => records.evaluate(params, writerOf(caller), versions),
    settle,
  }),
  evaluateMany,
  remove: route({
    method: "DELETE",
    path: "/apps/{app_id}/collections/{collection_id}/records/{record_id}",
    ...write,
    summary: "Delete a record.",
    query: RecordRemoval,
    answers: nothing(),
    isVersioned: true,
    run: ({ records }: Slices, { params, query: { expected_version }, caller, versions }) =>
      records.remove(params, writerOf(caller), bothOf(expected_version, versions)),
  }),
};

export const tagRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/tags",
    ...write,
    summary: "Create a tag.",
    body: TagCreate,
    answers: created(Tag),
    run: ({ tags }: Slices, { params, body, receipt }) => tags.create(params.app_id, body, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/tags",
    ...read,
    summary: "List the tags of an app, newest first.",
    query: TagQuery,
    answers: pageOf(Tag),
    run: ({ tags }: Slices, { params, query }) => tags.list(params.app_id, query),
  }),
  get: route({
    method: "GET",
    path: "/apps/{app_id}/tags/{tag_id}",
    ...read,
    summary: "Get a tag.",
    answers: one(Tag),
    run: ({ tags }: Slices, { params }) => tags.get(params.app_id, params.tag_id),
  }),
  update: route({
    method: "PATCH",
    path: "/apps/{app_id}/tags/{tag_id}",
    ...write,
    summary: "Update the name or color of a tag everywhere it is used.",
    body: TagUpdate,
    answers: one(Tag),
    run: ({ tags }: Slices, { params, body }) => tags.update(params.app_id, params.tag_id, body),
  }),
  remove: route({
    method: "DELETE",
    path: "/apps/{app_id}/tags/{tag_id}",
    ...write,
    summary: "Delete a tag and remove it from all collections and records.",
    answers: nothing(),
    run: ({ tags }: Slices, { params }) => tags.remove(params.app_id, params.tag_id),
  }),
};
