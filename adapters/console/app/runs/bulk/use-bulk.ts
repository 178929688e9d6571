/** Actions on many runs that somebody has started here. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { RunFilters } from "../filters/run-filters.ts";
import type { Selection } from "../selection.ts";
import { type Action, applicable, type ShownJob, startJob, startJobs } from "./bulk-action.ts";
import { useRunningJobs } from "./bulk-progress.tsx";

export function useBulk(appId: string, filters: RunFilters) {
  const queries = useQueryClient();
  /** Jobs that are shown until somebody dismisses them. */
  const [kept, setKept] = useState<readonly ShownJob[]>([]);
  const running = useRunningJobs(appId);

  const readAgain = useCallback(() => {
    void queries.resetQueries({ queryKey: [appId, "runs", "list"] });
    void queries.invalidateQueries({ queryKey: [appId, "runs", "first"] });
    void queries.invalidateQueries({ queryKey: [appId, "jobs", "running"] });
  }, [queries, appId]);

  async function act(action: Action, selection: Selection): Promise<void> {
    const jobs = selection.isEverything
      ? [await startJob(appId, action, filters)]
      : await startJobs(appId, action, applicable(action, selection));
    setKept((before) => [...before, ...jobs.map(({ id }) => ({ id, action }))]);
  }

  const others = running.filter((id) => !kept.some((job) => job.id === id));
  return {
    jobs: [...kept, ...others.map((id): ShownJob => ({ id, action: null }))],
    act,
    readAgain,
    dismiss: (id: string) => setKept((before) => before.filter((one) => one.id !== id)),
  };
}
