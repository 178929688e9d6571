/** The placement of runs in a cluster: jobs, requests and messages between the processes. */
import type { Cluster } from "../../cluster/cluster.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Job, JobOutcome } from "../../ports/cluster.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Store, Stored } from "../../ports/store.ts";
import { runKey } from "../../runs/run-rows.ts";
import type { Background } from "../../time/background.ts";
import type { SlotLimits } from "../admission/concurrency-counts.ts";
import type { RunCompletion } from "../dispatch/run-completion.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { RunRegistry } from "../run-registry.ts";
import { isEnded, type RunDocument } from "../state/run-document.ts";
import { createAsks } from "./asks.ts";
import { createFollowers } from "./followers.ts";
import type { Placement } from "./placement.ts";
import { createRooms } from "./rooms.ts";
import { createRunJobs, type JobQueue } from "./run-jobs.ts";

export interface ClusterPlacement extends Placement {
  /** Handles a job from the queue. */
  handle(job: Pick<Job, "kind" | "subject">): Promise<JobOutcome>;
  /** Whether every run is offered to all workers, because limits hold for all of them together. */
  readonly offersAll: boolean;
  /** The runs that no worker has taken. */
  queue(): JobQueue;
  /** Looks for what messages may have failed to report. */
  beat(): Promise<void>;
  /** Looks for runs without a worker. Only the keeper does. Returns whether all runs of a lost worker have been taken. */
  lookAfterRuns(): Promise<boolean>;
  close(): void;
}

export function createClusterPlacement(parts: {
  cluster: Cluster;
  store: Store;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  bus: EventBus;
  completion: Pick<RunCompletion, "awaited" | "resolveElsewhere">;
  background: Background;
  limits: SlotLimits;
  /** Resumes a run of this process that is not in memory. */
  resumeEvicted(runId: string): void;
  /** Created later. */
  runs(): RunRegistry;
}): ClusterPlacement {
  const { cluster, store, clock, bus, completion } = parts;
  const { membership, signals } = cluster;

  async function isElsewhere({ worker }: RunDocument): Promise<boolean> {
    return typeof worker === "string" && worker !== membership.id && membership.isAlive(worker);
  }

  const asks = createAsks({ ...parts, isElsewhere, find: (runId) => parts.runs().get(runId) });
  const followers = createFollowers({ clock, signals, bus });
  const rooms = createRooms(store, parts.limits, membership.isAlive);
  const jobs = createRunJobs({
    ...parts,
    isElsewhere,
    rooms,
    runs: {
      has: (runId) => parts.runs().has(runId),
      executeHere: (run, timeUp) => parts.runs().executeHere(run, timeUp),
      untilGone: (runId) => parts.runs().untilGone(runId),
      isClosed: () => parts.runs().isClosed(),
    },
  });
  signals.on("ended", completion.resolveElsewhere);

  /** A message about an end may have been lost. */
  async function checkAwaited(): Promise<void> {
    const awaited = [...completion.awaited()].filter((runId) => parts.runs().get(runId) === undefined);
    if (awaited.length === 0) return;
    const found: readonly (Stored<RunDocument> | null)[] = await store.getMany<RunDocument>(awaited.map(runKey));
    for (const [index, runId] of awaited.entries()) {
      const run = found[index] ?? null;
      if (run === null || isEnded(run.document)) completion.resolveElsewhere(runId);
    }
  }

  return {
    get worker() {
      return membership.id;
    },
    offersAll: !rooms.isUnlimited,
    queue: jobs.queue,
    isElsewhere,
    offer(run) {
      jobs.offer(run);
      return true;
    },
    ask: asks.ask,
    follow: followers.follow,
    onEnded: (runId) => signals.send("ended", runId),
    onOutcomeStored: jobs.endTrialOf,

    async handle({ kind, subject }) {
      if (kind === "run") return jobs.take(subject);
      await cluster.alarms.ring(subject);
      return "done";
    },

    async beat() {
      await Promise.all([asks.handleAll(), checkAwaited(), jobs.countQueued(), jobs.checkOwn()]);
    },

    async lookAfterRuns() {
      const isAnyGone = await jobs.look();
      await asks.deleteOld();
      return isAnyGone;
    },

    close() {
      asks.close();
      followers.close();
    },
  };
}
