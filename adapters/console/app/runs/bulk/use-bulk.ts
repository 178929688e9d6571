/** Actions on many runs that somebody has started here. */
import { useQueryClient } from "@tanstack/react-query";
import { nanoid } from "nanoid";
import { useCallback, useRef, useState } from "react";
import type { RunsBulkOptions } from "../../../../../src/api/list-options.ts";
import { client } from "../../server/client.ts";
import type { RunFilters } from "../filters/run-filters.ts";
import type { Selection } from "../selection.ts";
import { type Action, applicable, bulkOfAll, idsInParts, type ShownJob } from "./bulk-action.ts";
import { useRunningJobs } from "./bulk-progress.tsx";

/** @param onStarted Called with the ids of runs that a job acts on from now on. Not for a job of all that match. */
export function useBulk(appId: string, filters: RunFilters, onStarted: (ids: readonly string[]) => void) {
  const queries = useQueryClient();
  /** Jobs that are shown until somebody dismisses them. */
  const [kept, setKept] = useState<readonly ShownJob[]>([]);
  const running = useRunningJobs(appId);
  // The same job again, after its response was lost, has the same key: the server then starts nothing twice.
  const unanswered = useRef({ body: "", idempotencyKey: "" });

  const readAgain = useCallback(() => {
    void queries.resetQueries({ queryKey: [appId, "runs", "list"] });
    void queries.invalidateQueries({ queryKey: [appId, "runs", "first"] });
    void queries.invalidateQueries({ queryKey: [appId, "jobs", "running"] });
  }, [queries, appId]);

  async function start(bulk: RunsBulkOptions): Promise<void> {
    const body = JSON.stringify(bulk);
    if (unanswered.current.body !== body) unanswered.current = { body, idempotencyKey: nanoid() };
    const { idempotencyKey } = unanswered.current;
    const { id } = await client.with({ idempotencyKey }).runs.bulk(appId, bulk);
    unanswered.current = { body: "", idempotencyKey: "" };
    setKept((before) => [...before, { id, action: bulk.action }]);
  }

  async function act(action: Action, selection: Selection): Promise<void> {
    if (selection.isEverything) return start(bulkOfAll(action, filters));
    for (const ids of idsInParts(applicable(action, selection))) {
      await start({ action, ids });
      // If a later part fails, what is left is selected, and done when somebody tries again.
      onStarted(ids);
    }
    return undefined;
  }

  const others = running.filter((id) => !kept.some((job) => job.id === id));
  return {
    jobs: [...kept, ...others.map((id): ShownJob => ({ id, action: null }))],
    act,
    readAgain,
    dismiss: (id: string) => setKept((before) => before.filter((one) => one.id !== id)),
  };
}
