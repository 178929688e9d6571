/**
 * One takeover: an owner is stopped at one call of its driver, another owner takes over the storage, changes documents,
 * makes a checkpoint and closes, and then the first one continues.
 */

import { isStepwellError } from "../../../src/errors.ts";
import type { Driver } from "../../../src/ports/driver.ts";
import type { Change, Key, Store, Stored } from "../../../src/ports/store.ts";
import { openStore } from "../../support/storage/open.ts";
import { holdDriver, type Moment } from "./held-driver.ts";

/** A storage for both owners and for the check afterwards. */
export interface SharedStorage {
  open(): Driver;
  clean(): Promise<void>;
}

export interface Size {
  /** Commits of the first owner. */
  readonly commits: number;
  /** Documents that the second owner changes. */
  readonly changes: number;
  /** Records after which the first owner makes a checkpoint. */
  readonly checkpointRecords: number;
}

export const WHOLE: Size = { commits: 3_000, changes: 2_000, checkpointRecords: 60 };
export const SMALL: Size = { commits: 150, changes: 60, checkpointRecords: 5 };
export const TINY: Size = { commits: 60, changes: 20, checkpointRecords: 3 };

/** The number of concurrent commits of the first owner. */
const AT_ONCE = 10;
/** The number of documents that one call reads. */
const READ_AT_ONCE = 50;
/** The number of commits that the first owner tries when it continues. */
const LATE_COMMITS = 20;
const LISTS = ["things", "others"] as const;

/** What an owner knows of a document: the number of its last change, and its version, null if removed. */
interface State {
  readonly tick: number;
  readonly version: number | null;
}

interface Thing {
  readonly tick: number;
}

export interface Result {
  /** Calls of the first owner's driver until it was stopped. */
  readonly calls: number;
  readonly violations: readonly string[];
}

const keyOf = (index: number): Key => `thing:k${index}`;
const idOf = (key: string) => key.slice("thing:".length);

export async function takeOver(storage: SharedStorage, at: number, moment: Moment, size: Size): Promise<Result> {
  const violations: string[] = [];
  const keys = Array.from({ length: size.changes + (size.changes >> 2) }, (_, index) => keyOf(index));
  const held = holdDriver(storage.open(), at, moment);
  const first = openOwner(openStore(held.driver, { checkpointRecords: size.checkpointRecords, cacheSize: 20_000 }));
  const working = first.work(keys, size.commits);
  await Promise.race([held.stopped, working]);

  const second = openOwner(openStore(storage.open(), { cacheSize: 100_000 }));
  const seen = await second.readAll(keys);
  await second.changeAll(keys.slice(0, size.changes));
  await second.store.close();

  const { calls } = held;
  held.release();
  await working;
  await first.late(keys);
  await first.store.close();

  await check({ storage, keys, first, second, seen, violations });
  return { calls, violations };
}

type Owner = ReturnType<typeof openOwner>;

function openOwner(store: Store) {
  const acknowledged = new Map<string, State>();
  /** Changes without an acknowledgement that may have taken effect. */
  const attempted = new Map<string, State[]>();
  let isRefused = false;

  async function commit(changes: readonly { readonly key: Key; readonly before: State; readonly tick: number }[]) {
    const states = changes.map(({ key, before, tick }) => ({ key, state: next(before, tick), before }));
    for (const { key, state } of states) attempted.set(key, [...(attempted.get(key) ?? []), state]);
    await store.commit(states.map(({ key, state, before }) => changeOf(key, state, before)));
    for (const { key, state } of states) {
      acknowledged.set(key, state);
      attempted.delete(key);
    }
  }

  async function attempt(changes: Parameters<typeof commit>[0]): Promise<void> {
    try {
      await commit(changes);
    } catch (error) {
      if (!isStepwellError(error, "unavailable") && !isStepwellError(error, "conflict")) throw error;
      isRefused = true;
    }
  }

  async function readAll(keys: readonly Key[]): Promise<Map<string, State>> {
    const states = new Map<string, State>();
    for (let at = 0; at < keys.length; at += READ_AT_ONCE) {
      const some = keys.slice(at, at + READ_AT_ONCE);
      const found = await store.getMany<Thing>(some);
      for (const [index, key] of some.entries()) states.set(key, stateOf(found[index] ?? null));
    }
    return states;
  }

  return {
    store,
    acknowledged,
    attempted,
    readAll,

    /** Creates, replaces and removes documents, one or two per commit, until it is done or rejected. */
    async work(keys: readonly Key[], commits: number): Promise<void> {
      const known = (key: string) => acknowledged.get(key) ?? NOTHING;
      let at = 0;
      for (let done = 0; done < commits && !isRefused; done += AT_ONCE) {
        const batch = Array.from({ length: AT_ONCE }, (_, lane) => {
          const isPair = lane % 5 === 0;
          const chosen = [keys[at++ % keys.length], ...(isPair ? [keys[at++ % keys.length]] : [])];
          return chosen.flatMap((key) =>
            key === undefined ? [] : { key, before: known(key), tick: known(key).tick + 1 },
          );
        });
        // Skips some keys, so that each checkpoint creates, replaces and removes documents.
        if (done % 70 === 0) at += 7;
        await Promise.all(batch.map(attempt));
      }
    },

    async changeAll(keys: readonly Key[]): Promise<void> {
      const before = await readAll(keys);
      for (let at = 0; at < keys.length; at += 100) {
        await Promise.all(
          keys.slice(at, at + 100).map((key) => {
            const state = before.get(key) ?? NOTHING;
            return commit([{ key, before: state, tick: state.tick + SECOND_OWNER_OFFSET }]);
          }),
        );
      }
    },

    /** Continues as if nothing had happened. */
    async late(keys: readonly Key[]): Promise<void> {
      for (const key of keys.slice(0, LATE_COMMITS)) {
        const found = await store.get<Thing>(key).catch(() => null);
        const before = stateOf(found);
        await attempt([{ key, before, tick: before.tick + 1 }]);
      }
    },
  };
}

const NOTHING: State = { tick: 0, version: null };
/** The offset of the ticks of the second owner. */
const SECOND_OWNER_OFFSET = 100_001;

/** Every fourth change of a document removes it, and the next one creates it again. */
function next(before: State, tick: number): State {
  const removes = before.version !== null && tick % 4 === 0;
  return { tick, version: removes ? null : (before.version ?? 0) + 1 };
}

function changeOf(key: Key, state: State, before: State): Change {
  const id = idOf(key);
  const removes = state.version === null;
  return {
    key,
    document: removes ? null : { tick: state.tick },
    expected: before.version,
    rows: LISTS.map((list) => (removes ? { list, delete: id } : { list, put: { id, marks: [`tick:${state.tick}`] } })),
  };
}

function stateOf(stored: Stored<Thing> | null): State {
  return stored === null ? NOTHING : { tick: stored.document.tick, version: stored.version };
}

/** Checks that no acknowledged commit is missing, that documents and lists agree, and that the store opens. */
async function check(parts: {
  storage: SharedStorage;
  keys: readonly Key[];
  first: Owner;
  second: Owner;
  seen: ReadonlyMap<string, State>;
  violations: string[];
}): Promise<void> {
  const { storage, keys, first, second, seen, violations } = parts;
  const reader = openOwner(openStore(storage.open()));
  try {
    const found = await reader.readAll(keys);
    for (const key of keys) {
      const state = found.get(key) ?? NOTHING;
      const possible = [first.acknowledged.get(key) ?? NOTHING, ...(first.attempted.get(key) ?? [])];
      const base = seen.get(key) ?? NOTHING;
      const last = first.acknowledged.get(key);
      // Stopped before its own takeover, the first owner is the later one, and its changes are the last.
      if (last !== undefined && last.tick > SECOND_OWNER_OFFSET) {
        if (!isSame(last, state)) violations.push(`${key}: is ${say(state)} instead of ${say(last)}`);
        continue;
      }
      if (!possible.some((one) => isSame(one, base)))
        violations.push(`${key}: taken over at ${say(base)}, of ${possible.map(say)}`);
      const wanted = second.acknowledged.get(key) ?? base;
      if (!isSame(wanted, state)) violations.push(`${key}: is ${say(state)} instead of ${say(wanted)}`);
    }
    const present = keys.filter((key) => found.get(key)?.version != null).map(idOf);
    for (const list of LISTS) {
      const { ids } = await reader.store.list(list, { limit: keys.length + 1 });
      if (ids.toSorted().join() !== present.toSorted().join())
        violations.push(`list ${list} has ${ids.length} rows for ${present.length} documents`);
    }
  } catch (error) {
    violations.push(`does not open: ${error instanceof Error ? error.message : error}`);
  }
  await reader.store.close();
}

const isSame = (one: State, other: State) =>
  one.version === other.version && (one.version === null || one.tick === other.tick);
const say = ({ tick, version }: State) => (version === null ? "nothing" : `tick ${tick} version ${version}`);
