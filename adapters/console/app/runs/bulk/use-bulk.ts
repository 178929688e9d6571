/** Actions on many runs that somebody has started here. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import type { RunsBulkOptions } from "../../../../../src/api/list-options.ts";
import type { Job } from "../../../../../src/jobs/job.ts";
import { client } from "../../server/client.ts";
import type { RunFilters } from "../filters/run-filters.ts";
import type { Selection } from "../selection.ts";
import { type Action, applicable, bulkOfAll, idsInParts, type ShownJob } from "./bulk-action.ts";
import { useRunningJobs } from "./bulk-progress.tsx";

/**
 * A job that the server has not said it has started, such as one whose response was lost. When somebody asks for it again, it
 * has the same body, also where a span of time has gone on since. So the server starts nothing twice.
 */
interface Unanswered {
  readonly asked: string;
  readonly bulk: RunsBulkOptions;
}

/** @param onStarted Called with the ids of runs that a job acts on from now on. Not for a job of all that match. */
export function useBulk(appId: string, filters: RunFilters, onStarted: (ids: readonly string[]) => void) {
  const queries = useQueryClient();
  /** Jobs that are shown until somebody dismisses them. */
  const [kept, setKept] = useState<readonly ShownJob[]>([]);
  const running = useRunningJobs(appId);
  const unanswered = useRef<Unanswered | null>(null);

  const readAgain = useCallback(() => {
    void queries.resetQueries({ queryKey: [appId, "runs", "list"] });
    void queries.invalidateQueries({ queryKey: [appId, "runs", "first"] });
    void queries.invalidateQueries({ queryKey: [appId, "jobs", "running"] });
  }, [queries, appId]);

  /** @param asked What identifies the job. */
  async function start(asked: string, bulkOf: () => RunsBulkOptions): Promise<string> {
    if (unanswered.current?.asked !== asked) unanswered.current = { asked, bulk: bulkOf() };
    const { bulk } = unanswered.current;
    const job = await client.runs.bulk(appId, bulk);
    unanswered.current = null;
    // Its progress is shown at once, without asking for it.
    queries.setQueryData<Job>([appId, "jobs", job.id], job);
    setKept((before) => [...before, { id: job.id, action: bulk.action }]);
    return job.id;
  }

  /** @returns The id of the last job. */
  async function act(action: Action, selection: Selection): Promise<string | null> {
    let last: string | null = null;
    if (selection.isEverything) return start(JSON.stringify([action, filters]), () => bulkOfAll(action, filters));
    for (const ids of idsInParts(applicable(action, selection))) {
      last = await start(JSON.stringify([action, ids]), () => ({ action, ids }));
      // If a later part fails, what is left is selected, and done when somebody tries again.
      onStarted(ids);
    }
    return last;
  }

  const others = running.filter((id) => !kept.some((job) => job.id === id));
  return {
    jobs: [...kept, ...others.map((id): ShownJob => ({ id, action: null }))],
    act,
    readAgain,
    dismiss: (id: string) => setKept((before) => before.filter((one) => one.id !== id)),
  };
}
