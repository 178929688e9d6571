/** This process as a member of a cluster: what it tells the others, and the beat at which it looks after them. */
import type { Clock } from "../ports/clock.ts";
import type { ClusterAdapter, ClusterConnection, WorkOptions } from "../ports/cluster.ts";
import type { Ids } from "../ports/ids.ts";
import type { Logger } from "../ports/logger.ts";
import type { Store } from "../ports/store.ts";
import { elapsedOf } from "../time/system-clock.ts";
import { SECOND_MS } from "../time/units.ts";
import { createKeeper, type Keeper } from "./keeper.ts";
import { BEAT_MS, createMembership, type Membership } from "./membership.ts";
import { createSharedAlarms, type SharedAlarms } from "./shared-alarms.ts";
import { createSignals, type Signals } from "./signals.ts";

export interface Cluster {
  readonly connection: ClusterConnection;
  readonly signals: Signals;
  readonly membership: Membership;
  readonly keeper: Keeper;
  readonly alarms: SharedAlarms;
  /** Whether this process executes runs. */
  readonly works: boolean;
  /** Maximum number of runs that it executes at the same time, if it has a limit of its own. */
  readonly concurrency: number | undefined;
  /** Calls `look` at each beat: it reads what a lost message would have said. */
  onBeat(look: () => Promise<void>): void;
  /** Joins. Rejects if the store does not respond. */
  join(): Promise<void>;
  /** Takes jobs from now on, if this process works. */
  work(handle: WorkOptions["handle"]): void;
  /** Takes no more jobs, and stops looking after the others. */
  stop(): Promise<void>;
  /** Tells the others that this process has left. @param timeUp When it resolves, nothing waits for an answer any longer. */
  leave(timeUp: Promise<void>): Promise<void>;
}

/** What a beat does besides. */
export interface BeatHandlers {
  /** Returns the number of runs with a slot. */
  running(): number;
  /** Called when this process must stop everything that it executes: others may have taken over, or will. */
  onCutOff(): void;
  /** Called when this process has become the keeper. */
  onKeeper(): void;
  /** Called at each beat. */
  beat(): Promise<void>;
  /** Called at each beat of the keeper. */
  lookAfterOthers(): Promise<void>;
}

/** After how long without an answer of the store a process stops by itself, before others may take over. */
const CUT_OFF_MS = 10 * SECOND_MS;

/** Number of jobs that a process takes at the same time. A job of runs only lasts until they have slots. */
const JOBS_AT_ONCE = 8;

export function createCluster(parts: {
  adapter: ClusterAdapter;
  store: Store;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  handlers: BeatHandlers;
}): Cluster {
  const { adapter, store, clock, ids, logger, handlers } = parts;
  const works = adapter.work;
  const connection = adapter.connect({ clock, logger });
  const signals = createSignals(connection, ids.random(16));
  const membership = createMembership({
    ...{ store, clock, ids, logger, name: adapter.processName, works, running: handlers.running },
    onGivenUp: cutOff,
  });
  const keeper = createKeeper({ store, membership });
  const onFailure = (error: unknown) =>
    logger.warn("could not add a job to the queue of the cluster; it is added later", { error });
  const alarms = createSharedAlarms({ store, clock, connection, onFailure });
  /** Its runs need not wait for the next beat. */
  signals.on("lost", () => {
    if (keeper.isMine && !isStopping) void beat().catch(onMissedBeat);
  });
  const looks: (() => Promise<void>)[] = [];
  let lastBeat = elapsedOf(clock);
  let isCutOff = false;
  /** Its steps may take a while to end. Until then, the others must not take it for lost. */
  let isStopping = false;
  let isStopped = false;
  let cancel = () => {};
  let beating: Promise<void> = Promise.resolve();

  /** Others may have taken over, or will: this process ends what it does. */
  function cutOff(): void {
    keeper.pause();
    handlers.onCutOff();
  }

  async function beat(): Promise<void> {
    await membership.beat();
    lastBeat = elapsedOf(clock);
    isCutOff = false;
    await handlers.beat();
    for (const look of looks) await look();
    if (!works || isStopping) return;
    if (await keeper.beat()) handlers.onKeeper();
    if (!keeper.isMine) return;
    await alarms.checkOverdue();
    await handlers.lookAfterOthers();
  }

  function onMissedBeat(error: unknown): void {
    if (isStopped) return;
    logger.warn("could not reach the other processes of the cluster; retrying", { error });
  }

  function beatLater(): void {
    if (isStopped) return;
    cancel = clock.after(BEAT_MS, () => {
      beating = beat().catch(onMissedBeat).finally(beatLater);
    });
  }

  /** A beat that hangs doesn't end, so this is a timer of its own. */
  function checkCutOff(): void {
    if (isStopped) return;
    if (!isCutOff && elapsedOf(clock) - lastBeat >= CUT_OFF_MS) {
      isCutOff = true;
      logger.warn("the store has not responded for too long; steps are interrupted until it does");
      cutOff();
    }
    clock.after(SECOND_MS, checkCutOff);
  }

  return {
    ...{ connection, signals, membership, keeper, alarms, works, concurrency: adapter.concurrency },
    onBeat: (look) => void looks.push(look),
    async join() {
      await beat();
      beatLater();
      checkCutOff();
    },
    work(handle) {
      if (works && !isStopped) connection.work({ concurrency: JOBS_AT_ONCE, handle });
    },
    async stop() {
      isStopping = true;
      await connection.stopTaking();
    },
    async leave(timeUp) {
      isStopped = true;
      cancel();
      await Promise.race([beating, timeUp]);
      const left = membership.leave().catch((error: unknown) => {
        logger.warn("could not tell the other processes of the cluster that this one has left", { error });
      });
      await Promise.race([left, timeUp]);
      signals.send("lost", membership.id);
      await connection.close(timeUp);
    },
  };
}
