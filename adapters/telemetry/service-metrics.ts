/** Metrics of a service. Their attributes have few values: a series for each workflow would grow without end. */
import type { Meter } from "@opentelemetry/api";
import type { Run, ServiceLoad, Telemetry } from "../../src/index.ts";

export interface ServiceMetrics extends Required<Pick<Telemetry, "created" | "committed" | "flushed">> {
  countRun(run: Run): void;
}

/** Boundaries of histograms, in seconds. Runs may wait for days. */
const RUN_SECONDS = [0.01, 0.1, 1, 10, 60, 600, 3_600, 86_400];
const STEP_SECONDS = [0.001, 0.01, 0.1, 1, 10, 60, 600, 3_600];
const FLUSH_COMMITS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const COMMIT_SECONDS = [0.000_1, 0.000_3, 0.001, 0.003, 0.01, 0.03, 0.1, 1, 10];

export function createServiceMetrics(meter: Meter): ServiceMetrics {
  const secondsOf = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { description, unit: "s", advice: { explicitBucketBoundaries } });
  const runs = secondsOf("stepwell.run.duration", "From the creation of a run to its end.", RUN_SECONDS);
  const steps = secondsOf("stepwell.step.duration", "From the start of a step to its end.", STEP_SECONDS);
  const commits = secondsOf("stepwell.storage.commit.duration", "Time of a commit to the storage.", COMMIT_SECONDS);
  const running = meter.createObservableGauge("stepwell.runs.running", { description: "Runs that execute." });
  const queued = meter.createObservableGauge("stepwell.runs.queued", { description: "Runs that wait for a slot." });
  const age = meter.createObservableGauge("stepwell.runs.queued.age", {
    description: "How long the first queued run has waited.",
    unit: "s",
  });

  const flushes = secondsOf("stepwell.storage.flush.duration", "Time of a flush to the storage.", COMMIT_SECONDS);
  const flushed = meter.createHistogram("stepwell.storage.flush.commits", {
    description: "Commits that a flush has stored together.",
    advice: { explicitBucketBoundaries: FLUSH_COMMITS },
  });

  return {
    created(load) {
      meter.addBatchObservableCallback(
        (result) => {
          const now = load();
          result.observe(running, now.running);
          result.observe(queued, now.queued);
          result.observe(age, now.oldestQueuedMs / 1_000);
        },
        [running, queued, age],
      );
      if (load().cluster !== undefined) observeCluster(meter, load);
    },

    flushed({ commits: count, milliseconds }) {
      flushes.record(milliseconds / 1_000);
      flushed.record(count);
    },

    committed({ outcome, milliseconds }) {
      commits.record(milliseconds / 1_000, { "stepwell.storage.outcome": outcome });
    },

    countRun({ status, created_at, finished_at, steps: all }) {
      runs.record(secondsBetween(created_at, finished_at), { "stepwell.run.status": status });
      for (const { type, status: stepStatus, started_at, finished_at: end } of all) {
        if (started_at === null) continue; // never reached
        const attributes = { "stepwell.step.type": type, "stepwell.step.status": stepStatus };
        steps.record(secondsBetween(started_at, end ?? finished_at), attributes);
      }
    },
  };
}

/** One process reports what holds for all, so that sums are right. */
function observeCluster(meter: Meter, load: () => ServiceLoad): void {
  const queued = meter.createObservableGauge("stepwell.cluster.runs.queued", {
    description: "Runs of the cluster that no worker has taken.",
  });
  const age = meter.createObservableGauge("stepwell.cluster.runs.queued.age", {
    description: "How long the first of them was seen.",
    unit: "s",
  });
  const processes = meter.createObservableGauge("stepwell.cluster.processes", { description: "Processes that live." });
  const lost = meter.createObservableCounter("stepwell.cluster.processes.lost", {
    description: "Processes that did not respond, so that others took over their runs.",
  });
  meter.addBatchObservableCallback(
    (result) => {
      const { cluster } = load();
      if (cluster === undefined) return;
      result.observe(lost, cluster.lost);
      if (!cluster.isKeeper) return;
      result.observe(queued, cluster.queued);
      result.observe(age, cluster.oldestQueuedMs / 1_000);
      result.observe(processes, cluster.workers, { "stepwell.cluster.works": true });
      result.observe(processes, cluster.others, { "stepwell.cluster.works": false });
    },
    [queued, age, processes, lost],
  );
}

/** @param end Null for what has not ended, which does not occur in an ended run. */
function secondsBetween(start: string, end: string | null): number {
  return end === null ? 0 : (Date.parse(end) - Date.parse(start)) / 1_000;
}
