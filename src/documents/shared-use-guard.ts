/**
 * Keeps deletions and new uses of a resource apart if several processes share the store.
 *
 * A deletion first closes the resource: it commits a mark with the next version of the resource, which stays as it is. So a
 * commit that adds a use either comes before that, and the deletion finds the use; or it conflicts on its guard, looks again,
 * and waits for as long as the mark says. The deletion commits only while its mark is there.
 */
import { isStepwellError, type StepwellError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { type Change, changesDocument, type DerivedChange, type Key, type Store } from "../ports/store.ts";
import { instant } from "../time/iso.ts";
import { DAY_MS, SECOND_MS } from "../time/units.ts";
import { type Expiring, expiringRow, notExpiringRow } from "./expiring-documents.ts";
import { createGuards } from "./guards.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import { addedUses, deletedMeanwhile, type UseGuard } from "./use-guard.ts";
import { resourceKey } from "./uses.ts";
import { withCommit } from "./with-commit.ts";

/** Stays for a day after the deletion was refused, so that its versions are not used twice. */
interface Mark extends Expiring {
  readonly app_id: string;
  /** Until when nothing begins to use the resource, ISO 8601; null when the deletion was refused. */
  readonly closed_until: string | null;
}

interface Resource {
  readonly app_id: string;
  /** Of a collection that can be restored. */
  readonly deleted?: boolean;
}

/** After how long others assume that the process with the deletion has died. If it lives, it begins again. */
const CLOSED_MS = 10 * SECOND_MS;
const LOOK_INTERVAL_MS = 50;

const idOf = (key: Key) => key.slice(key.indexOf(":") + 1);
const markKey = (key: Key): Key => `closing:${idOf(key)}`;

export function createSharedUseGuard({ store: inner, clock }: { store: Store; clock: Clock }): UseGuard {
  const guards = createGuards(look);

  /** The version of a resource that is not being deleted; null if it was deleted. */
  async function look(key: Key): Promise<number | null> {
    for (;;) {
      // Before its mark: so a deletion that begins between the two reads has made this version an old one.
      const found = await inner.get<Resource>(key);
      if (found === null || found.document.deleted === true) return null;
      if (await isOpen(key)) return found.version;
    }
  }

  /** Waits a moment if the resource is closed. */
  async function isOpen(key: Key): Promise<boolean> {
    const mark = await inner.get<Mark>(markKey(key));
    const until = mark?.document.closed_until ?? null;
    if (mark === null || until === null) return true;
    const left = Date.parse(until) - clock.now();
    if (left <= 0) await open(key, mark.document.app_id, mark.version);
    else await new Promise<void>((resolve) => clock.after(Math.min(left, LOOK_INTERVAL_MS), resolve));
    return false;
  }

  function markChange(key: Key, app_id: string, closedUntil: number | null, expected: number | null): Change {
    const closed_until = closedUntil === null ? null : instant(closedUntil);
    const document: Mark = { app_id, closed_until, expires_at: instant(clock.now() + DAY_MS) };
    return { key: markKey(key), document, expected, rows: [expiringRow(markKey(key), document, app_id)] };
  }

  async function open(key: Key, appId: string, version: number): Promise<void> {
    try {
      await inner.commit([markChange(key, appId, null, version)]);
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error;
    }
  }

  /** Returns what opens the resource again; null if there is no such resource. */
  function close(key: Key): Promise<{ readonly appId: string; readonly mark: number } | null> {
    const isChanged = (changed: string) => changed === key || changed === markKey(key);
    return retryOnConflict(isChanged, async () => {
      if ((await look(key)) === null) return null;
      const [found, before] = await Promise.all([inner.get<Resource>(key), inner.get<Mark>(markKey(key))]);
      if (found === null) return null;
      const { document, version } = found;
      const expected = before?.version ?? null;
      const mark = markChange(key, document.app_id, clock.now() + CLOSED_MS, expected);
      await inner.commit([mark, { key, document, expected: version }]);
      return { appId: document.app_id, mark: (expected ?? 0) + 1 };
    });
  }

  async function using<T>(
    keys: readonly Key[],
    act: (guards: readonly DerivedChange[]) => Promise<T>,
    onDeleted: (resourceId: string) => StepwellError,
  ): Promise<T> {
    return guards.run(keys, (found) => {
      const gone = keys.find((key) => !found.some((guard) => guard.key === key));
      if (gone !== undefined) throw onDeleted(idOf(gone));
      return act(found);
    });
  }

  return {
    store: withCommit(inner, (changes) => {
      const keys = usedBy(changes);
      return keys.length === 0
        ? inner.commit(changes)
        : using(keys, (found) => inner.commit([...changes, ...found]), deletedMeanwhile);
    }),

    using: (resourceId, act, onDeleted = deletedMeanwhile) => using(keysOf([resourceId]), act, onDeleted),

    removing(resourceId, remove) {
      const [key] = keysOf([resourceId]);
      if (key === undefined) return remove([]);
      return retryOnConflict(
        (changed) => changed === markKey(key),
        async () => {
          const closed = await close(key);
          if (closed === null) return remove([]);
          const { appId, mark } = closed;
          const unmark = { key: markKey(key), document: null, expected: mark, rows: [notExpiringRow(markKey(key))] };
          try {
            return await remove([unmark]);
          } catch (error) {
            // If this fails, others open it when its time is up.
            await open(key, appId, mark).catch(() => undefined);
            throw error;
          }
        },
      );
    },

    restored: () => undefined,
  };
}

function keysOf(ids: Iterable<string>): Key[] {
  return [...new Set(ids)].map(resourceKey).filter((key) => key !== null);
}

/** The resources that a commit begins to use, except those that it stores itself. */
function usedBy(changes: readonly (Change | DerivedChange)[]): readonly Key[] {
  const ids = changes.flatMap(addedUses);
  if (ids.length === 0) return [];
  const own = new Set<string>(changes.filter(changesDocument).map(({ key }) => key));
  return keysOf(ids).filter((key) => !own.has(key));
}
