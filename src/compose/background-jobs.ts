/** Hourly cleanup of expired and orphaned data. */
import { createRemovedApps } from "../apps/purge-apps.ts";
import { createPurgeCollections, createPurgeTags } from "../collections/purge-collections.ts";
import { createPurgeRecords } from "../collections/records/purge-records.ts";
import { createExpirySweeper } from "../documents/expiring-documents.ts";
import { createRetention } from "../engine/dispatch/retention.ts";
import type { Executor } from "../runs/run-executor.ts";
import { createHourlyJob, type HourlyJob } from "../time/hourly-job.ts";
import { createPurgeUploads } from "../uploads/purge-uploads.ts";
import { createPurgeWorkflows } from "../workflows/purge-workflows.ts";
import type { DataSlices, DefinitionSlices, RunSlices } from "./slices.ts";
import type { Base } from "./storage.ts";

export interface BackgroundJobs {
  start(): void;
  /** Deletes the data of an app that was just removed. */
  purgeRemovedApp(appId: string): void;
  /** Starts no further job. Resolves when running jobs have ended. */
  stop(): Promise<void>;
}

export function createBackgroundJobs(
  base: Base,
  slices: DataSlices & DefinitionSlices & RunSlices,
  { executor }: { executor: Executor },
): BackgroundJobs {
  const { apps, keys, files, orphanBlobs, partialUploads, connections, hooks, schedules, claims } = slices;

  function hourly(what: string, act: (isStopped: () => boolean) => Promise<void>): HourlyJob {
    const failureMessage = `could not delete ${what}; retrying in an hour`;
    const job = createHourlyJob({ ...base, act: () => act(() => job.isStopped), failureMessage });
    return job;
  }

  const retention = createRetention({
    ...base,
    retentionMs: base.limits.runRetentionMs,
    apps: apps.ids,
    cancel: executor.cancel,
  });
  const removedApps = createRemovedApps({
    ...base,
    // Runs are canceled before their versions go, records before their collections, upload URLs before their files.
    purges: [
      keys.removeAll,
      createPurgeRecords({ ...base, claims }),
      schedules.removeAll,
      connections.removeAll,
      hooks.removeAll,
      retention.removeAll,
      createPurgeUploads({ ...base, partialUploads }),
      files.removeAll,
      createPurgeCollections(base),
      createPurgeTags(base),
      createPurgeWorkflows(base),
    ],
  });
  const jobs = [
    createExpirySweeper(base),
    retention,
    hourly("expired files", files.removeExpired),
    hourly("orphan blobs", orphanBlobs.sweep),
    hourly("expired partial uploads", partialUploads.sweep),
    removedApps,
  ];

  return {
    start() {
      for (const job of jobs) job.start();
    },
    purgeRemovedApp: removedApps.purgeSoon,
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
