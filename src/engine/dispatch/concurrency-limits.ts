/** Counts active runs in total, per app and per workflow. */

export interface ConcurrencyLimits {
  /** Maximum number of active runs. */
  readonly concurrentRuns: number;
  /** Maximum number of active runs per app. */
  readonly concurrentRunsPerApp: number;
  /** Maximum number of active runs per workflow. */
  readonly concurrentRunsPerWorkflow: number;
}

/** The fields that a run is counted by. */
export interface CountedRun {
  readonly app_id: string;
  readonly workflow_id: string;
}

export interface ConcurrencyCounts {
  /** Whether the total limit allows one more run. */
  hasRoom(): boolean;
  /** Whether all limits allow this run. */
  hasRoomFor(run: CountedRun): boolean;
  add(run: CountedRun): void;
  remove(run: CountedRun): void;
}

export function createConcurrencyCounts(limits: ConcurrencyLimits): ConcurrencyCounts {
  const apps = new Map<string, number>();
  const workflows = new Map<string, number>();
  let total = 0;

  function count({ app_id, workflow_id }: CountedRun, by: 1 | -1): void {
    total += by;
    addTo(apps, app_id, by);
    addTo(workflows, workflow_id, by);
  }

  return {
    hasRoom: () => total < limits.concurrentRuns,
    hasRoomFor: ({ app_id, workflow_id }) =>
      total < limits.concurrentRuns &&
      (apps.get(app_id) ?? 0) < limits.concurrentRunsPerApp &&
      (workflows.get(workflow_id) ?? 0) < limits.concurrentRunsPerWorkflow,
    add: (run) => count(run, 1),
    remove: (run) => count(run, -1),
  };
}

function addTo(counts: Map<string, number>, key: string, by: number): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}
