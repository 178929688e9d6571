/** How many runs are under way at once, and who comes next: apps in turn, so that none starves another. */
import { StepwellError } from "../errors.ts";

export interface AdmissionLimits {
  /** Runs under way at once. */
  readonly runs: number;
  /** Of these, of one app. */
  readonly runsPerApp: number;
  /** Of these, of one workflow. */
  readonly runsPerWorkflow: number;
  /** Runs that wait for their turn. */
  readonly queuedRuns: number;
}

export interface Candidate {
  readonly id: string;
  readonly app_id: string;
  readonly workflow_id: string;
}

export interface Admission {
  /** Takes a place if there is one. */
  enter(candidate: Candidate): boolean;
  /** Takes a place in any case: for runs that were admitted before, or within another run. */
  force(candidate: Candidate): void;
  /** @throws StepwellError `too_many_requests` when no more may wait. */
  checkQueue(): void;
  /** Waits for a place; `called` is called once, later. */
  queue(candidate: Candidate, called: () => void): void;
  /** Gives up the wait, if there is one. */
  unqueue(candidate: Candidate): void;
  /** Gives a place back. */
  leave(candidate: Candidate): void;
}

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = "1";

interface Queued {
  readonly candidate: Candidate;
  readonly called: () => void;
}

export function createAdmission(limits: AdmissionLimits): Admission {
  const apps = new Map<string, number>();
  const workflows = new Map<string, number>();
  /** By app, in the order in which they are asked next. */
  const queues = new Map<string, Queued[]>();
  let under = 0;
  let waiting = 0;

  const hasRoom = ({ app_id, workflow_id }: Candidate) =>
    under < limits.runs &&
    (apps.get(app_id) ?? 0) < limits.runsPerApp &&
    (workflows.get(workflow_id) ?? 0) < limits.runsPerWorkflow;

  function count({ app_id, workflow_id }: Candidate, by: 1 | -1): void {
    under += by;
    add(apps, app_id, by);
    add(workflows, workflow_id, by);
  }

  /** The next that has room, of the app that was asked longest ago. */
  function next(): Queued | undefined {
    for (const [appId, queue] of queues) {
      const index = queue.findIndex(({ candidate }) => hasRoom(candidate));
      if (index < 0) continue;
      const [found] = queue.splice(index, 1);
      queues.delete(appId);
      if (queue.length > 0) queues.set(appId, queue); // at the end: the others come first now
      return found;
    }
    return undefined;
  }

  function callNext(): void {
    while (under < limits.runs && waiting > 0) {
      const found = next();
      if (found === undefined) return;
      waiting--;
      count(found.candidate, 1);
      found.called();
    }
  }

  return {
    enter(candidate) {
      // Nobody passes those of the same app who came before.
      if (queues.has(candidate.app_id) || !hasRoom(candidate)) return false;
      count(candidate, 1);
      return true;
    },

    force: (candidate) => count(candidate, 1),

    checkQueue() {
      if (waiting < limits.queuedRuns) return;
      throw new StepwellError(
        "too_many_requests",
        `${waiting} runs are waiting for their turn already; try again later.`,
        {
          headers: { "retry-after": RETRY_AFTER },
        },
      );
    },

    queue(candidate, called) {
      waiting++;
      const queue = queues.get(candidate.app_id);
      if (queue === undefined) queues.set(candidate.app_id, [{ candidate, called }]);
      else queue.push({ candidate, called });
      callNext();
    },

    unqueue({ id, app_id }) {
      const queue = queues.get(app_id);
      const index = queue?.findIndex(({ candidate }) => candidate.id === id) ?? -1;
      if (queue === undefined || index < 0) return;
      queue.splice(index, 1);
      waiting--;
      if (queue.length === 0) queues.delete(app_id);
    },

    leave(candidate) {
      count(candidate, -1);
      callNext();
    },
  };
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}
