/** The rows of collections, of their records, and of the tags that both carry. */
import { depthWithin, onlyPublic } from "../api/caller.ts";
import { created, nothing, one, pageOf, route } from "../http/route.ts";
import { Collection, CollectionCreate, CollectionQuery, CollectionUpdate } from "./collection.ts";
import { CollectionRecord, RecordCreate, RecordQuery, RecordUpdate, RecordUpsert } from "./records/record.ts";
import { Tag, TagCreate, TagQuery, TagUpdate } from "./tag.ts";

export const collectionRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/collections",
    access: "app",
    scope: "collections:write",
    summary: "Create a collection, with its rules, mappings, tags and triggers.",
    body: CollectionCreate,
    answers: created(Collection),
    run: ({ collections }, { params, body, receipt }) => collections.create(params.app_id, body, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/collections",
    access: "public",
    scope: "collections:read",
    summary: "List the collections of an app, newest first; without a key, those that are PUBLIC.",
    query: CollectionQuery,
    answers: pageOf(Collection),
    run: ({ collections }, { params, query, caller }) => collections.list(params.app_id, query, onlyPublic(caller)),
  }),
  get: route({
    method: "GET",
    path: "/apps/{app_id}/collections/{collection_id}",
    access: "public",
    scope: "collections:read",
    summary: "Read a collection, also one that was deleted.",
    answers: one(Collection),
    run: ({ collections }, { params, caller }) =>
      collections.get(params.app_id, params.collection_id, onlyPublic(caller)),
  }),
  update: route({
    method: "PATCH",
    path: "/apps/{app_id}/collections/{collection_id}",
    access: "app",
    scope: "collections:write",
    summary: "Change a collection; a list that is given replaces the one that is there.",
    body: CollectionUpdate,
    answers: one(Collection),
    run: ({ collections }, { params, body }) => collections.update(params.app_id, params.collection_id, body),
  }),
  remove: route({
    method: "DELETE",
    path: "/apps/{app_id}/collections/{collection_id}",
    access: "app",
    scope: "collections:write",
    summary: "Delete a collection; it is still listed with deleted=true.",
    answers: nothing(),
    run: ({ collections }, { params }) => collections.remove(params.app_id, params.collection_id),
  }),
};

export const recordRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/collections/{collection_id}/records",
    access: "app",
    scope: "collections:write",
    summary: "Create a record; the answer waits for the rules of the collection for 10 seconds.",
    body: RecordCreate,
    answers: created(CollectionRecord),
    run: ({ records }, { params, body, receipt, caller, signal }) =>
      records.create(params, body, receipt, { depth: depthWithin(caller), signal }),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/collections/{collection_id}/records",
    access: "app",
    scope: "collections:read",
    summary: "List the records of a collection, newest first.",
    query: RecordQuery,
    answers: pageOf(CollectionRecord),
    run: ({ records }, { params, query }) => records.list(params, query),
  }),
  upsert: route({
    method: "POST",
    path: "/apps/{app_id}/collections/{collection_id}/records/upsert",
    access: "app",
    scope: "collections:write",
    summary: "Change the record that has a value in a field, or create it.",
    body: RecordUpsert,
    answers: one(CollectionRecord),
    run: ({ records }, { params, body, caller, signal }) =>
      records.upsert(params, body, { depth: depthWithin(caller), signal }),
  }),
  get: route({
    method: "GET",
    path: "/apps/{app_id}/collections/{collection_id}/records/{record_id}",
    access: "app",
    scope: "collections:read",
    summary: "Read a record.",
    answers: one(CollectionRecord),
    run: ({ records }, { params }) => records.get(params),
  }),
  update: route({
    method: "PATCH",
    path: "/apps/{app_id}/collections/{collection_id}/records/{record_id}",
    access: "app",
    scope: "collections:write",
    summary: "Change fields of a record; null takes a field away.",
    body: RecordUpdate,
    answers: one(CollectionRecord),
    run: ({ records }, { params, body, caller, signal }) =>
      records.update(params, body, { depth: depthWithin(caller), signal }),
  }),
  evaluate: route({
    method: "POST",
    path: "/apps/{app_id}/collections/{collection_id}/records/{record_id}/evaluate",
    access: "app",
    scope: "collections:write",
    summary: "Run the rules on a record again.",
    answers: one(CollectionRecord),
    run: ({ records }, { params, caller, signal }) => records.evaluate(params, { depth: depthWithin(caller), signal }),
  }),
  remove: route({
    method: "DELETE",
    path: "/apps/{app_id}/collections/{collection_id}/records/{record_id}",
    access: "app",
    scope: "collections:write",
    summary: "Delete a record.",
    answers: nothing(),
    run: ({ records }, { params }) => records.remove(params),
  }),
};

export const tagRoutes = {
  create: route({
    method: "POST",
    path: "/apps/{app_id}/tags",
    access: "app",
    scope: "collections:write",
    summary: "Create a tag.",
    body: TagCreate,
    answers: created(Tag),
    run: ({ tags }, { params, body, receipt }) => tags.create(params.app_id, body, receipt),
  }),
  list: route({
    method: "GET",
    path: "/apps/{app_id}/tags",
    access: "app",
    scope: "collections:read",
    summary: "List the tags of an app, newest first.",
    query: TagQuery,
    answers: pageOf(Tag),
    run: ({ tags }, { params, query }) => tags.list(params.app_id, query),
  }),
  get: route({
    method: "GET",
    path: "/apps/{app_id}/tags/{tag_id}",
    access: "app",
    scope: "collections:read",
    summary: "Read a tag.",
    answers: one(Tag),
    run: ({ tags }, { params }) => tags.get(params.app_id, params.tag_id),
  }),
  update: route({
    method: "PATCH",
    path: "/apps/{app_id}/tags/{tag_id}",
    access: "app",
    scope: "collections:write",
    summary: "Change a tag's name or color, wherever it is carried.",
    body: TagUpdate,
    answers: one(Tag),
    run: ({ tags }, { params, body }) => tags.update(params.app_id, params.tag_id, body),
  }),
  remove: route({
    method: "DELETE",
    path: "/apps/{app_id}/tags/{tag_id}",
    access: "app",
    scope: "collections:write",
    summary: "Remove a tag, also from the collections that carry it.",
    answers: nothing(),
    run: ({ tags }, { params }) => tags.remove(params.app_id, params.tag_id),
  }),
};
