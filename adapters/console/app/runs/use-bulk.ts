/** Actions on many runs that somebody has started here. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { type Action, actOnEach, applicable, type Progress, startJob } from "./bulk-action.ts";
import { useRunningJobs } from "./bulk-progress.tsx";
import type { RunFilters } from "./run-filters.ts";
import type { Selection } from "./selection.ts";

export function useBulk(appId: string, filters: RunFilters) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  /** Jobs that are shown until somebody dismisses them. */
  const [kept, setKept] = useState<readonly string[]>([]);
  const stop = useRef(new AbortController());
  const running = useRunningJobs(appId);

  const readAgain = useCallback(() => {
    void queries.resetQueries({ queryKey: [appId, "runs", "list"] });
    void queries.invalidateQueries({ queryKey: [appId, "runs", "first"] });
    void queries.invalidateQueries({ queryKey: [appId, "jobs", "running"] });
  }, [queries, appId]);

  async function act(action: Action, selection: Selection): Promise<void> {
    if (selection.isEverything) {
      const { id } = await startJob(appId, action, filters);
      setKept((before) => [...before, id]);
      return;
    }
    stop.current = new AbortController();
    const { signal } = stop.current;
    const runs = applicable(action, selection);
    // The dialog does not wait for it.
    void actOnEach(appId, action, runs, { signal, onProgress: setProgress }).then(readAgain);
  }

  return {
    progress,
    jobs: [...new Set([...kept, ...running])],
    act,
    readAgain,
    stop: () => stop.current.abort(),
    dismiss: () => setProgress(null),
    dismissJob: (id: string) => setKept((before) => before.filter((one) => one !== id)),
  };
}
