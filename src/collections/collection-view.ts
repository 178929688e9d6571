/** Converts a collection for callers: with its app, tags, dates and link. */
import type { App } from "../apps/app.ts";
import { revisionOf } from "../documents/expected-version.ts";
import { dateOf } from "../time/iso.ts";
import type { Collection, CollectionDocument } from "./collection.ts";
import { indexStates } from "./indexes/record-index.ts";
import type { Tag } from "./tag.ts";
import { triggerView } from "./triggers/trigger.ts";

export type CollectionView = (
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

export function createCollectionView(baseUrl: string): CollectionView {
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
      indexes: config.indexes ?? [],
      index_states: indexStates(document.indexes),
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
