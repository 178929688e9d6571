/** Converts a collection for callers: with its app, tags, dates and link. */
import type { App } from "../apps/app.ts";
import type { Apps } from "../apps/apps.ts";
import { revisionOf } from "../documents/expected-version.ts";
import type { Store } from "../ports/store.ts";
import { dateOf } from "../time/iso.ts";
import type { Collection, CollectionDocument } from "./collection.ts";
import { indexStates } from "./indexes/record-index.ts";
import { countRecords } from "./records/record-rows.ts";
import type { Tag } from "./tag.ts";
import type { Tags } from "./tags.ts";
import { triggerView } from "./triggers/trigger.ts";

export interface CollectionViews {
  one(document: CollectionDocument): Promise<Collection>;
  /** Takes one lookup for the app and one for all tags, for any number of collections. */
  all(appId: string, documents: readonly CollectionDocument[]): Promise<Collection[]>;
}

export function createCollectionViews(parts: {
  store: Store;
  apps: Pick<Apps, "get">;
  tags: Pick<Tags, "find">;
  /** Base URL of links. */
  baseUrl: string;
}): CollectionViews {
  const { store, apps, tags } = parts;
  const view = createCollectionView(parts.baseUrl);

  /** Counts only if there ever was a record: the first count after a start reads the storage. */
  const count = ({ id, has_records }: CollectionDocument) => (has_records === true ? countRecords(store, id) : 0);

  return {
    async one(document) {
      const { app_id } = document;
      const [app, found] = await Promise.all([apps.get(app_id), tags.find(app_id, document.tags)]);
      return view(document, app, found, await count(document));
    },

    async all(appId, documents) {
      const tagIds = new Set(documents.flatMap((document) => document.tags));
      const filled = documents.filter(({ has_records }) => has_records === true);
      const [app, found, counts] = await Promise.all([
        apps.get(appId),
        tags.find(appId, [...tagIds]),
        Promise.all(filled.map(async ({ id }) => [id, await countRecords(store, id)] as const)),
      ]);
      const countOf = new Map(counts);
      return documents.map((document) => view(document, app, found, countOf.get(document.id) ?? 0));
    },
  };
}

type CollectionView = (
  document: CollectionDocument,
  app: App,
  tags: ReadonlyMap<string, Tag>,
  recordsCount: number,
) => Collection;

/** A cached view, with its sources. */
interface Known {
  readonly app: App;
  readonly tags: readonly Tag[];
  readonly view: Collection;
}

function createCollectionView(baseUrl: string): CollectionView {
  /** The store returns the same object until the document changes, so the view and its JSON can be cached by it. */
  const known = new WeakMap<CollectionDocument, Known>();

  return (document, app, tagsById, recordsCount) => {
    // Deleted tags stay in the document until it changes; the view omits them.
    const tags = document.tags.flatMap((id) => tagsById.get(id) ?? []);
    const before = known.get(document);
    const isKnown = before?.app === app && before.view.records_count === recordsCount && isSame(before.tags, tags);
    if (isKnown) return before.view;
    const view = makeView(document, app, tags, recordsCount, baseUrl);
    known.set(document, { app, tags, view });
    return view;
  };
}

const NO_INDEXES: readonly [] = Object.freeze([]);

/** Frozen in all its parts, so that its JSON can be cached. */
function makeView(
  document: CollectionDocument,
  app: App,
  tags: Tag[],
  recordsCount: number,
  baseUrl: string,
): Collection {
  const { id, name, description, config, visibility, deleted, triggers } = document;
  return frozen({
    id,
    name,
    description,
    app: frozen({ id: app.id, name: app.name, verified: app.verified }),
    config: frozen({
      ...config,
      indexes: config.indexes ?? NO_INDEXES,
      index_states: frozen(indexStates(document.indexes).map(frozen)),
      created_at: dateOf(config.created_at),
      updated_at: dateOf(config.updated_at),
    }),
    visibility,
    tags: frozen(tags),
    records_count: recordsCount,
    deleted,
    triggers: frozen(triggers.map((trigger) => frozen(triggerView(trigger)))),
    revision: revisionOf(document),
    created_at: dateOf(document.created_at),
    updated_at: dateOf(document.updated_at),
    link: `${baseUrl}/console/apps/${app.id}/collections/${id}`,
  });
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** `Object.freeze` without changing the type. */
function frozen<T extends object>(value: T): T {
  Object.freeze(value);
  return value;
}
