/** Prepares the collections of an import with their tags and triggers, and checks them like new ones. */
import type { CheckRules } from "../../collections/check-rules.ts";
import type { CollectionDocument } from "../../collections/collection.ts";
import { putCollection } from "../../collections/collection-rows.ts";
import { newCollection } from "../../collections/new-collection.ts";
import { putTag, type Tags } from "../../collections/tags.ts";
import type { CheckTriggers } from "../../collections/triggers/check-triggers.ts";
import type { TriggerStates } from "../../collections/triggers/trigger-state.ts";
import { type FieldError, MAX_ERRORS, missingText } from "../../errors.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Change } from "../../ports/store.ts";
import type { Bundle, BundleCollection } from "./bundle.ts";
import type { Planned } from "./plan-import.ts";

interface Parts {
  readonly ids: Ids;
  readonly tags: Pick<Tags, "find">;
  readonly checkRules: CheckRules;
  readonly checkTriggers: CheckTriggers;
  readonly triggerStates: Pick<TriggerStates, "changes">;
}

export interface PreparedCollections {
  /** With pointers into the document. */
  readonly errors: readonly FieldError[];
  readonly documents: readonly CollectionDocument[];
  readonly changes: readonly Change[];
}

/** Triggers are disabled: their secrets are not exported, and the source would send to the copy as well. */
export async function prepareCollections(
  parts: Parts,
  appId: string,
  given: { readonly tags: NonNullable<Bundle["tags"]>; readonly collections: readonly Planned<BundleCollection>[] },
  now: string,
): Promise<PreparedCollections> {
  const { ids, triggerStates } = parts;
  const ownTags = new Set(given.tags.map(({ id }) => id));
  const errors: FieldError[] = [];
  for (const one of given.collections) {
    if (errors.length > MAX_ERRORS) break;
    for (const error of await errorsOf(parts, appId, one, ownTags)) errors.push(error);
  }
  if (errors.length > 0) return { errors, documents: [], changes: [] };
  const documents = given.collections.map(({ item: { id, tags = [], triggers = [], ...collection } }) => {
    const stored = { enabled: false, collection_id: id, created_at: now, updated_at: now };
    const disabled = triggers.map((trigger) => ({ ...trigger, ...stored }));
    return newCollection({ ...collection, app_id: appId, id, tags, triggers: disabled }, ids, now);
  });
  const states = await Promise.all(documents.map((document) => triggerStates.changes(document, [])));
  return {
    errors,
    documents,
    changes: [
      ...given.tags.map((tag) => putTag({ ...tag, app_id: appId, created_at: now, updated_at: now })),
      ...documents.map((document) => putCollection(document, null)),
      ...states.flat(),
    ],
  };
}

async function errorsOf(
  { tags: existing, checkRules, checkTriggers }: Parts,
  appId: string,
  { item, index }: Planned<BundleCollection>,
  ownTags: ReadonlySet<string>,
): Promise<FieldError[]> {
  const { config, tags = [], triggers = [] } = item;
  const known = await existing.find(appId, tags);
  const disabled = triggers.map(({ id: _, ...trigger }) => ({ ...trigger, enabled: false }));
  const path = (...rest: (string | number)[]) => ["collections", index, ...rest];
  return [
    ...tags.flatMap((id, at) =>
      ownTags.has(id) || known.has(id)
        ? []
        : [{ pointer: `/collections/${index}/tags/${at}`, message: missingText("tag", id) }],
    ),
    ...(await checkRules(appId, config.rules ?? [], (rule) => path("config", "rules", rule))),
    ...(await checkTriggers(appId, [], disabled, (trigger) => path("triggers", trigger))),
  ];
}
