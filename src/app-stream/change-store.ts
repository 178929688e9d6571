/** A store that tells the feed of changes what its commits have changed. */
import { withCommit } from "../documents/with-commit.ts";
import type { Clock } from "../ports/clock.ts";
import { type Change, changesDocument, type DerivedChange, type Document, type Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { workflowKey } from "../workflows/workflows.ts";
import type { ChangeFeed } from "./change-feed.ts";
import {
  describeAppChange,
  describeDraft,
  isTold,
  type UntimedChange,
  workflowOfDraft,
} from "./describe-app-changes.ts";
import { missingAt, type NotedChange } from "./pending-changes.ts";

type Changes = readonly (Change | DerivedChange)[];

/** A change of a document that may be one of a followed app. */
interface Told {
  readonly change: Change;
  /** Undefined if only the document before the change, or the workflow of a draft, names it. */
  readonly appId: string | undefined;
  /** The document that must be read before the commit; undefined if none. */
  readonly reads: Change["key"] | undefined;
}

/** At the end of the name of a list. */
const APP_ID = /\.(app_[0-9a-z]{26})$/;

/**
 * If nobody follows an app, commits cost nothing. Otherwise, the documents that a commit changes in a followed app are read before
 * it, and so are those that it deletes from a list that names no app.
 */
export function createChangeStore(parts: { store: Store; clock: Clock; feed: ChangeFeed }): Store {
  const { store, clock, feed } = parts;

  function toldOf(change: Change): Told[] {
    const { key, document, expected = null } = change;
    const workflowId = workflowOfDraft(key);
    if (workflowId !== undefined) {
      const isSaved = document !== null && expected !== null;
      return isSaved ? [{ change, appId: undefined, reads: workflowKey(workflowId) }] : [];
    }
    if (!isTold(key)) return [];
    const appId = appOf(document) ?? appOfRows(change);
    if (appId !== undefined && !feed.isFollowed(appId)) return [];
    return [{ change, appId, reads: expected === null ? undefined : key }];
  }

  /** The documents before the commit; null if they cannot be read, which must not keep anybody from storing. */
  async function readAll(told: readonly Told[]): Promise<readonly (Document | null)[] | null> {
    const keys = told.flatMap(({ reads }) => reads ?? []);
    if (keys.length === 0) return told.map(() => null);
    try {
      const found = await store.getMany(keys);
      const byKey = new Map(keys.map((key, index) => [key, found[index]?.document ?? null]));
      return told.map(({ reads }) => (reads === undefined ? null : (byKey.get(reads) ?? null)));
    } catch {
      return null;
    }
  }

  async function commitAndTell(changes: Changes, told: readonly Told[]): Promise<void> {
    const read = await readAll(told);
    await store.commit(changes);
    const at = instant(clock.now());
    for (const [index, { change, appId }] of told.entries()) {
      const before = read?.[index] ?? null;
      const app = appId ?? appOf(before);
      if (app === undefined || !feed.isFollowed(app)) continue;
      const noted = read === null ? [missingAt(at)] : notedOf(change, before, at);
      feed.note(app, noted);
    }
  }

  return withCommit(store, (changes) => {
    const told = feed.isIdle ? [] : changes.filter(changesDocument).flatMap(toldOf);
    return told.length === 0 ? store.commit(changes) : commitAndTell(changes, told);
  });
}

function notedOf({ key, document, expected }: Change, before: Document | null, at: string): readonly NotedChange[] {
  const version = (expected ?? 0) + 1;
  const workflowId = workflowOfDraft(key);
  const changes: readonly UntimedChange[] =
    workflowId === undefined ? describeAppChange(key, before, document) : [describeDraft(workflowId, document ?? {})];
  return changes.map((change) => ({ change: { ...change, at }, version }));
}

const appOf = (document: Document | null): string | undefined =>
  document !== null && "app_id" in document && typeof document.app_id === "string" ? document.app_id : undefined;

/** The app of a document that is deleted, by the lists that contain it. */
function appOfRows({ rows = [] }: Change): string | undefined {
  for (const { list } of rows) {
    const [, appId] = APP_ID.exec(list) ?? [];
    if (appId !== undefined) return appId;
  }
  return undefined;
}
