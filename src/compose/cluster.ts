/** Joins the cluster of the option `cluster`, and does this process's part of the shared work. */
import { type Cluster, createCluster } from "../cluster/cluster.ts";
import { createKeeperDuties, type KeeperDuties } from "../cluster/keeper-duties.ts";
import type { Engine } from "../engine/engine.ts";
import type { Options } from "../options/options.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Store } from "../ports/store.ts";
import type { ClusterLoad } from "../runs/telemetry.ts";
import type { Background } from "../time/background.ts";
import { ALL_DUTIES, type Duties } from "../time/duties.ts";

export interface Sharing {
  /** Undefined without a cluster. */
  readonly cluster: Cluster | undefined;
  readonly duties: Duties;
  /** Undefined without a cluster. */
  load(): ClusterLoad | undefined;
  /** What keeps this process from taking jobs until its settings are changed; null if nothing does. */
  jobProblem(): string | null;
  /** Starts everything that {@link duties} were added for, and takes jobs. */
  start(): void;
  /** Takes no more jobs, and stops looking after the others. */
  stop(): Promise<void>;
  /** Leaves the cluster, when nothing executes here any more. */
  leave(timeUp: Promise<void>): Promise<void>;
}

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly background: Background;
  /** Created later. */
  engine(): Engine;
}

const NOTHING_QUEUED = { queued: 0, oldestQueuedMs: 0 };

export function composeCluster(adapter: Options["cluster"], parts: Parts): Sharing {
  const { background, engine } = parts;
  if (adapter === undefined) return alone(background);

  const cluster = createCluster({
    ...parts,
    adapter,
    handlers: {
      running: () => engine().load().running,
      onCutOff: () => engine().abandonAll(),
      onKeeper: () => duties.resumeAll(),
      beat: async () => void (await engine().placement?.beat()),
      async lookAfterOthers() {
        const isAnyGone = await engine().placement?.lookAfterRuns();
        if (isAnyGone === true) duties.resumeAll();
        else duties.look();
      },
    },
  });
  const duties: KeeperDuties = createKeeperDuties({ ...parts, keeper: cluster.keeper, signals: cluster.signals });

  return {
    cluster,
    duties,
    start() {
      background.start("cluster", async () => {
        await cluster.join();
        cluster.work(async (job) => (await engine().placement?.handle(job)) ?? "done");
      });
    },
    load() {
      const members = cluster.membership.members();
      const workers = members.filter(({ works }) => works).length;
      return {
        ...(engine().placement?.queue() ?? NOTHING_QUEUED),
        isKeeper: cluster.keeper.isMine,
        ...{ workers, others: members.length - workers, lost: cluster.membership.givenUp },
      };
    },
    jobProblem: () => (cluster.works ? cluster.connection.problem() : null),
    stop: cluster.stop,
    leave: cluster.leave,
  };
}

function alone(background: Background): Sharing {
  const resumes = new Map<string, () => Promise<unknown>>();
  const add = (part: string, resume: () => Promise<unknown>) => void resumes.set(part, resume);
  return {
    cluster: undefined,
    duties: { ...ALL_DUTIES, add, addOfOthers: add },
    load: () => undefined,
    jobProblem: () => null,
    start() {
      for (const [part, resume] of resumes) background.start(part, resume);
    },
    stop: async () => undefined,
    leave: async () => undefined,
  };
}
