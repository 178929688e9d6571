/**
 * A queue within one process, with several connections, whose jobs and messages can be lost. The reference for what a
 * cluster may expect of its queue.
 */
import type { Clock } from "../../../src/ports/clock.ts";
import type { ClusterAdapter, Job, WorkOptions } from "../../../src/ports/cluster.ts";

interface Connected {
  readonly listeners: ((message: string) => void)[];
  work: WorkOptions | null;
  readonly active: Set<Job>;
}

/** When a job without room is given to a worker again. */
const LATER_MS = 200;

export interface InProcessQueue {
  /** @returns The adapter, and a function after which the process takes and hears nothing, and its jobs go to others. */
  connect(options?: { readonly work?: boolean; readonly concurrency?: number; readonly name?: string }): {
    readonly adapter: ClusterAdapter;
    kill(): void;
  };
  /** Loses all jobs that no worker has taken, also the delayed ones. */
  empty(): void;
  /** Whether messages and jobs get lost. */
  losesMessages: boolean;
  losesJobs: boolean;
  /** Number of jobs that were added, by kind. */
  readonly added: Map<string, number>;
}

/** @param clock Of the queue: processes that stop or die do not hold it up. */
export function createInProcessQueue(clock: Pick<Clock, "after">): InProcessQueue {
  const connections = new Set<Connected>();
  const known = new Map<string, Job>();
  const waiting: Job[] = [];
  const added = new Map<string, number>();
  const queue: InProcessQueue = { connect, empty, losesMessages: false, losesJobs: false, added };

  function empty(): void {
    waiting.length = 0;
    known.clear();
    for (const { active } of connections) for (const job of active) known.set(job.id, job);
  }

  function pushLater(job: Job, delayMs: number): void {
    clock.after(delayMs, () => {
      if (known.get(job.id) === job) push(job);
    });
  }

  function push(job: Job): void {
    waiting.push(job);
    give();
  }

  function give(): void {
    waiting.sort((one, other) => (one.priority ?? 0) - (other.priority ?? 0));
    for (const connection of connections) {
      while (connection.work !== null && connection.active.size < connection.work.concurrency) {
        const job = waiting.shift();
        if (job === undefined) return;
        void handle(connection, connection.work, job);
      }
    }
  }

  async function handle(connection: Connected, work: WorkOptions, job: Job): Promise<void> {
    connection.active.add(job);
    // The others come first next time.
    connections.delete(connection);
    connections.add(connection);
    const outcome = await work.handle(job, new AbortController().signal).catch(() => "done");
    if (!connections.has(connection)) return;
    connection.active.delete(job);
    if (outcome === "done") known.delete(job.id);
    else pushLater(job, LATER_MS);
    give();
  }

  function connect({ work = true, concurrency, name = "one" }: Parameters<InProcessQueue["connect"]>[0] = {}) {
    let own: Connected | undefined;
    const adapter: ClusterAdapter = {
      ...{ name: "in-process", processName: name, work, concurrency },
      connect() {
        const connection: Connected = { listeners: [], work: null, active: new Set() };
        own = connection;
        connections.add(connection);
        return {
          async add(jobs) {
            for (const job of jobs) {
              added.set(job.kind, (added.get(job.kind) ?? 0) + 1);
              if (queue.losesJobs || known.has(job.id)) continue;
              known.set(job.id, job);
              if (job.delayMs === undefined || job.delayMs <= 0) push(job);
              else pushLater(job, job.delayMs);
            }
          },
          work(options) {
            connection.work = options;
            give();
          },
          problem: () => null,
          async stopTaking() {
            connection.work = null;
          },
          publish(message) {
            if (queue.losesMessages) return;
            for (const { listeners } of connections)
              for (const listener of listeners) queueMicrotask(() => listener(message));
          },
          subscribe: (listener) => void connection.listeners.push(listener),
          async close() {
            leave(connection);
          },
        };
      },
    };
    return { adapter, kill: () => own !== undefined && leave(own) };
  }

  function leave(connection: Connected): void {
    connections.delete(connection);
    waiting.push(...connection.active);
    give();
  }

  return queue;
}
