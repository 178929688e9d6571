/** How far actions on many runs have come, and what went wrong. Jobs go on when the page is left, and are found again. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Job } from "../../../../../src/jobs/job.ts";
import { useProblemDialog } from "../../elements/dialogs/problem-dialog.tsx";
import { LIVE_QUERY } from "../../live/live-query.ts";
import { client } from "../../server/client.ts";
import { useMay } from "../../session/session-context.ts";
import { useTexts } from "../../texts/language.ts";
import type { ShownJob } from "./bulk-action.ts";
import { ProgressBar } from "./progress-bar.tsx";

const POLL_MS = 1_000;

interface JobProgressProps {
  readonly appId: string;
  readonly job: ShownJob;
  readonly onEnd: () => void;
  readonly onDismiss: () => void;
}

/** Of a job of the server. */
export function JobProgress({ appId, job: { id: jobId, action }, onEnd, onDismiss }: JobProgressProps) {
  const { runs: texts, general } = useTexts();
  const queries = useQueryClient();
  const { dialog, attempt } = useProblemDialog();
  const key = [appId, "jobs", jobId];
  const mayWrite = useMay("jobs:write");
  const mayRead = useMay("jobs:read");
  const job = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.with({ signal }).jobs.get(appId, jobId),
    enabled: mayRead,
    refetchInterval: ({ state: { data } }) => (data?.status === "running" ? POLL_MS : false),
  }).data;
  const isRunning = job === undefined || job.status === "running";
  useEffect(() => {
    if (!isRunning) onEnd();
  }, [isRunning, onEnd]);
  const title = texts.progress[action ?? "job"];
  if (!mayRead) {
    const hidden = `${title}. ${texts.progressHidden} ${general.needsScope("jobs:read")}`;
    return (
      <p role="status" data-job={jobId} tabIndex={-1}>
        {hidden}
      </p>
    );
  }
  if (job === undefined) return null;
  const stop = () =>
    attempt(async () => {
      queries.setQueryData<Job>(key, await client.jobs.cancel(appId, jobId));
    });
  const { done, total, report, status, error } = job;
  return (
    <>
      <ProgressBar
        {...{ appId, done, total, onDismiss, jobId }}
        title={error === null ? title : error.message}
        state={isRunning ? "running" : status === "succeeded" ? "finished" : "stopped"}
        problems={report.problems}
        problemCount={report.failed === 0 ? null : texts.problems(report.failed)}
        onStop={mayWrite ? () => void stop() : null}
      />
      {dialog}
    </>
  );
}

/** What has started a job is gone by then, and the focus with it. The progress stays in view. */
export function focusJob(id: string | null): void {
  if (id === null) return;
  document.querySelector<HTMLElement>(`[data-job="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
}

/** Jobs that change runs and have not ended: of this page, of another one, or of before it was loaded. */
export function useRunningJobs(appId: string): readonly string[] {
  const mayRead = useMay("jobs:read");
  const jobs = useQuery({
    queryKey: [appId, "jobs", "running"],
    queryFn: ({ signal }) => client.with({ signal }).jobs.list(appId, { status: "running" }),
    enabled: mayRead,
    ...LIVE_QUERY,
  });
  return (jobs.data?.items ?? []).filter(({ kind }) => kind === "runs.bulk").map(({ id }) => id);
}
