/** Connections of a cluster on a real Redis, as the processes of a service have them. */
import { bullmq } from "../../../adapters/cluster/cluster.ts";
import { createConnection } from "../../../adapters/cluster/connection.ts";
import { type BullmqOptions, checkOptions } from "../../../adapters/cluster/options.ts";
import type { Timing } from "../../../adapters/cluster/timing.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { ClusterConnection, Job, WorkOptions } from "../../../src/ports/cluster.ts";
import type { Logger } from "../../../src/ports/logger.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { silent } from "../storage/open.ts";
import { until } from "../until.ts";

/** Nothing may reach a time limit, or lose a lock, because the machine is busy. */
const PATIENCE_MS = 1_000_000;
const PATIENT: Timing = {
  timeoutMs: PATIENCE_MS,
  lockMs: PATIENCE_MS,
  stalledMs: PATIENCE_MS,
  unknownKindMs: PATIENCE_MS,
  laterMs: 1,
  heartbeatMs: PATIENCE_MS,
};

export const never = new Promise<void>(() => undefined);

export interface OpenOptions extends Omit<BullmqOptions, "work" | "concurrency"> {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** @default what no test reaches */
  readonly timing?: Partial<Timing>;
}

export function connect({ clock = systemClock, logger = silent, timing, ...options }: OpenOptions): ClusterConnection {
  return createConnection(checkOptions(options), { clock, logger }, { ...PATIENT, ...timing });
}

/** With the time limits of users. */
export function connectAsUser(options: BullmqOptions): ClusterConnection {
  return bullmq(options).connect({ clock: systemClock, logger: silent });
}

export type Handled = Pick<Job, "id" | "kind" | "subject">;

/** Starts to work, and notes the jobs. @param handle Resolves with `later` to have the job put back. */
export function workAt(
  connection: ClusterConnection,
  handle: (...given: Parameters<WorkOptions["handle"]>) => Promise<unknown> = async () => undefined,
  concurrency = 10,
): readonly Handled[] {
  const handled: Handled[] = [];
  connection.work({
    concurrency,
    async handle(job, signal) {
      handled.push(job);
      return (await handle(job, signal)) === "later" ? "later" : "done";
    },
  });
  return handled;
}

export const job = (id: string, more: Partial<Job> = {}): Job => ({ id, kind: "run", subject: `of-${id}`, ...more });

export const idsOf = (jobs: readonly Handled[]) => jobs.map(({ id }) => id);

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });

/** Waits until messages arrive. */
export async function untilHeard(from: ClusterConnection, to: readonly string[], message: string): Promise<void> {
  await until(() => {
    from.publish(message);
    return to.includes(message);
  });
}
