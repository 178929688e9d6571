/** Hourly cleanup of expired and orphaned data. In a cluster, the keeper does it. */
import { createDeletedApps } from "../apps/purge-apps.ts";
import { createPurgeCollections, createPurgeTags } from "../collections/purge-collections.ts";
import { createPurgeRecords } from "../collections/records/purge-records.ts";
import { createDeleteDeliveries } from "../collections/triggers/deliveries/delete-deliveries.ts";
import { createExpirySweeper } from "../documents/expiring-documents.ts";
import { createRetention } from "../engine/dispatch/retention.ts";
import type { VersionUses } from "../engine/state/version-uses.ts";
import type { Executor } from "../runs/run-executor.ts";
import { createHourlyJob, type HourlyJob } from "../time/hourly-job.ts";
import { createPurgeUploads } from "../uploads/purge-uploads.ts";
import type { PurgeWebhooks } from "../webhooks/purge-webhooks.ts";
import { createPurgeVersions, createPurgeWorkflows } from "../workflows/purge-workflows.ts";
import type { DataSlices, DefinitionSlices, RunSlices } from "./slices.ts";
import type { Base } from "./storage.ts";

export interface BackgroundJobs {
  start(): void;
  /** Deletes the data of an app that was just deleted. */
  purgeDeletedApp(appId: string): void;
  /** Deletes the versions of workflows that were just deleted. */
  purgeVersions(workflowId: string): void;
  /** Starts no further job. Resolves when running jobs have ended. */
  stop(): Promise<void>;
}

export function createBackgroundJobs(
  base: Base,
  slices: DataSlices & DefinitionSlices & RunSlices,
  parts: { executor: Executor; webhooks: PurgeWebhooks; versionUses: VersionUses },
): BackgroundJobs {
  const { executor, webhooks, versionUses } = parts;
  const { apps, keys, files, orphanBlobs, partialUploads, connections, hooks, schedules } = slices;
  const { recordWrites, purgeHistory, writesInProgress } = slices;

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
    versionUses,
  });
  const deletedVersions = hourly(
    "versions of deleted workflows",
    createPurgeVersions({ ...base, deleteUnused: versionUses.deleteUnused }),
  );
  const triggerDeliveries = createDeleteDeliveries(base);
  const deletedApps = createDeletedApps({
    ...base,
    // Runs are canceled before their versions go, records before their collections, upload URLs before their files.
    purges: [
      keys.deleteAll,
      webhooks.deleteAll,
      slices.jobs.deleteAll,
      createPurgeRecords({ ...base, writes: recordWrites, purgeHistory, writesInProgress }),
      triggerDeliveries.deleteAll,
      schedules.deleteAll,
      slices.appEvents.deleteAll,
      connections.deleteAll,
      hooks.deleteAll,
      retention.deleteAll,
      createPurgeUploads({ ...base, partialUploads }),
      files.deleteAll,
      createPurgeCollections(base),
      createPurgeTags(base),
      createPurgeWorkflows(base),
    ],
  });
  const jobs = [
    createExpirySweeper(base),
    retention,
    deletedVersions,
    hourly("old deliveries of webhooks", webhooks.deleteOld),
    hourly("expired files", files.deleteExpired),
    hourly("expired histories of deleted records", purgeHistory.deleteExpired),
    hourly("orphan blobs", orphanBlobs.sweep),
    hourly("expired partial uploads", partialUploads.sweep),
    hourly("expired events of triggers", triggerDeliveries.deleteExpired),
    deletedApps,
  ];

  const { cluster, duties } = base;
  // Both lists are empty unless something was deleted.
  if (cluster !== undefined) {
    duties.add("deleted apps", deletedApps.sweep);
    duties.add("versions of deleted workflows", async () => deletedVersions.runSoon());
  }

  return {
    start() {
      for (const job of jobs) job.start();
    },
    purgeDeletedApp: duties.assign("deleted-app", deletedApps.purgeSoon),
    purgeVersions: duties.assign("deleted-workflow", deletedVersions.runSoon),
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
