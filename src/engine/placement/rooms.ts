/**
 * Limits of running runs that hold for all workers together: of an app, and of a workflow. Each place under a limit is a
 * document with a number. Of several workers that take the same number, one succeeds, so a limit is never exceeded, and there
 * is no count that could become wrong.
 */
import { isStepwellError } from "../../errors.ts";
import type { Change, Key, Store } from "../../ports/store.ts";
import type { SlotLimits } from "../admission/concurrency-counts.ts";
import type { RunDocument } from "../state/run-document.ts";

/** A place that a run has taken. */
export interface Place {
  readonly id: string;
  /** Version of its document. Others may take the place later, under a higher one. */
  readonly version: number;
}

export interface Rooms {
  /** Whether no limit applies to any run. */
  readonly isUnlimited: boolean;
  /** Takes a place under each limit. Returns null if one is reached. */
  enter(document: RunDocument, worker: string): Promise<readonly Place[] | null>;
  leave(places: readonly Place[]): Promise<void>;
  /** Gives back the places of a lost worker. */
  leaveAll(worker: string): Promise<void>;
  /**
   * Returns a function that says for one run after the other whether a place is free for it, too. Gives back the places of workers
   * that are lost and forgotten.
   */
  vacancies(): (document: RunDocument) => Promise<boolean>;
}

interface Limit {
  readonly scope: string;
  readonly limit: number;
}

/** Documents are kept when a place is free, so that their versions only increase. */
interface PlaceDocument {
  readonly run_id: string | null;
  readonly worker: string | null;
}

const placeKey = (placeId: string): Key => `place:${placeId}`;
const placesIn = (scope: string) => `places.${scope}`;
const placesOf = (worker: string) => `places.${worker}`;
/** Number of places of a lost worker that are read at once. */
const PLACES_AT_ONCE = 200;

/** @param isAlive Whether a worker lives. */
export function createRooms(store: Store, limits: SlotLimits, isAlive: (worker: string) => Promise<boolean>): Rooms {
  const { concurrentRunsPerApp, concurrentRunsPerWorkflow } = limits;
  const isUnlimited =
    concurrentRunsPerApp === Number.POSITIVE_INFINITY && concurrentRunsPerWorkflow === Number.POSITIVE_INFINITY;

  function limitsOf({ app_id, workflow_id, depth }: RunDocument): readonly Limit[] {
    return [
      { scope: `${app_id}.${depth}`, limit: concurrentRunsPerApp },
      { scope: `${workflow_id}.${depth}`, limit: concurrentRunsPerWorkflow },
    ].filter(({ limit }) => Number.isFinite(limit));
  }

  /** Returns the ID of a free place, or null if there is none. */
  async function freePlace({ scope, limit }: Limit, runId: string): Promise<string | null> {
    const { ids } = await store.list(placesIn(scope), { limit, withoutTotal: true });
    if (ids.length >= limit) return null;
    const taken = new Set(ids);
    // Workers seldom try the same, because the last letters of an ID are random.
    const first = Number.parseInt(runId.slice(-8), 36) % limit;
    for (let number = first; ; number = (number + 1) % limit) {
      const id = `${scope}.${number}`;
      if (!taken.has(id)) return id;
    }
  }

  return {
    isUnlimited,

    async enter(document, worker) {
      for (;;) {
        const ids: string[] = [];
        for (const limit of limitsOf(document)) {
          const id = await freePlace(limit, document.id);
          if (id === null) return null;
          ids.push(id);
        }
        if (ids.length === 0) return [];
        const found = await store.getMany<PlaceDocument>(ids.map(placeKey));
        // Taken since the list was read.
        if (found.some((place) => place !== null && place.document.run_id !== null)) continue;
        const versions = found.map((stored) => stored?.version ?? null);
        try {
          await store.commit(ids.map((id, index) => taking(id, versions[index] ?? null, worker, document.id)));
          return ids.map((id, index) => ({ id, version: (versions[index] ?? 0) + 1 }));
        } catch (error) {
          // Another worker was faster.
          if (!isStepwellError(error, "conflict")) throw error;
        }
      }
    },

    async leave(places) {
      for (const { id, version } of places) await leave(id, version);
    },

    async leaveAll(worker) {
      const { ids } = await store.list(placesOf(worker), { limit: PLACES_AT_ONCE, withoutTotal: true });
      const found = await store.getMany<PlaceDocument>(ids.map(placeKey));
      for (const [index, id] of ids.entries()) {
        const place = found[index];
        if (place?.document.worker === worker) await leave(id, place.version);
      }
    },

    vacancies() {
      const counted = new Map<string, number>();
      return async (document) => {
        const scopes = limitsOf(document);
        for (const limit of scopes) {
          const free = counted.get(limit.scope) ?? (await countFree(limit));
          counted.set(limit.scope, free);
          if (free === 0) return false;
        }
        for (const { scope } of scopes) counted.set(scope, (counted.get(scope) ?? 0) - 1);
        return true;
      };
    },
  };

  async function countFree({ scope, limit }: Limit): Promise<number> {
    const { ids } = await store.list(placesIn(scope), { limit, withoutTotal: true });
    if (ids.length < limit) return limit - ids.length;
    // A worker may have taken places just when it was given up.
    const found = await store.getMany<PlaceDocument>(ids.map(placeKey));
    let free = 0;
    for (const [index, id] of ids.entries()) {
      const place = found[index] ?? null;
      if (place === null || place.document.worker === null || (await isAlive(place.document.worker))) continue;
      await leave(id, place.version);
      free++;
    }
    return free;
  }

  async function leave(id: string, version: number): Promise<void> {
    const place = await store.get<PlaceDocument>(placeKey(id));
    if (place?.version !== version) return; // given back when the worker seemed lost
    const rows = [
      { list: placesIn(scopeOf(id)), delete: id },
      { list: placesOf(place.document.worker ?? ""), delete: id },
    ];
    const free: PlaceDocument = { run_id: null, worker: null };
    try {
      await store.commit([{ key: placeKey(id), document: free, expected: version, rows }]);
    } catch (error) {
      if (!isStepwellError(error, "conflict")) throw error;
    }
  }
}

function taking(id: string, expected: number | null, worker: string, run_id: string): Change {
  const document: PlaceDocument = { run_id, worker };
  const rows = [
    { list: placesIn(scopeOf(id)), put: { id } },
    { list: placesOf(worker), put: { id } },
  ];
  return { key: placeKey(id), document, expected, rows };
}

const scopeOf = (id: string) => id.slice(0, id.lastIndexOf("."));
