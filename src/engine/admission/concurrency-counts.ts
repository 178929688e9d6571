/** Counts the runs with a slot on one level of nesting. */

export interface SlotLimits {
  /** Maximum number of runs with a slot. */
  readonly concurrentRuns: number;
  /** Maximum number of runs with a slot per app. */
  readonly concurrentRunsPerApp: number;
  /** Maximum number of runs with a slot per workflow. */
  readonly concurrentRunsPerWorkflow: number;
  /** Maximum number of child runs with a slot below one run, on each level. */
  readonly childRuns: number;
}

/** The fields that a run is counted by. */
export interface CountedRun {
  readonly app_id: string;
  readonly workflow_id: string;
  /** The topmost run above it. Only for a child run, or a run of a rule for a record that a run wrote. */
  readonly root_run_id?: string;
}

export interface ConcurrencyCounts {
  readonly total: number;
  /** Whether the total limit allows one more run. */
  hasCapacity(): boolean;
  /** Whether all limits allow this run. */
  hasCapacityFor(run: CountedRun): boolean;
  add(run: CountedRun): void;
  remove(run: CountedRun): void;
}

/** Counts runs with a slot in total, per app, per workflow, and below each run. */
export function createConcurrencyCounts(limits: SlotLimits): ConcurrencyCounts {
  const apps = new Map<string, number>();
  const workflows = new Map<string, number>();
  const roots = new Map<string, number>();
  let total = 0;

  function count({ app_id, workflow_id, root_run_id }: CountedRun, by: 1 | -1): void {
    total += by;
    addTo(apps, app_id, by);
    addTo(workflows, workflow_id, by);
    if (root_run_id !== undefined) addTo(roots, root_run_id, by);
  }

  return {
    get total() {
      return total;
    },
    hasCapacity: () => total < limits.concurrentRuns,
    hasCapacityFor: ({ app_id, workflow_id, root_run_id }) =>
      total < limits.concurrentRuns &&
      (root_run_id === undefined || (roots.get(root_run_id) ?? 0) < limits.childRuns) &&
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
