/** The progress of a job, how it ended, and what went wrong with single items. The job goes on if the dialog is closed. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Job } from "../../../../src/jobs/job.ts";
import { Button } from "../elements/controls/button.tsx";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { useAction } from "../elements/dialogs/use-action.ts";
import { Loading } from "../elements/loading.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { client } from "../server/client.ts";
import { useMay } from "../session/session-context.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

interface JobDialogProps {
  readonly appId: string;
  readonly jobId: string;
  readonly kind: "import" | "evaluate";
  /** Number of items where the job does not know it; null if nobody does. */
  readonly total: number | null;
  /** Called when the job has ended. */
  readonly onEnd: () => void;
  readonly onClose: () => void;
}

const INTERVAL_MS = 500;
const NOTHING = { created: 0, updated: 0, unchanged: 0 };

export function JobDialog({ appId, jobId, kind, total, onEnd, onClose }: JobDialogProps) {
  const { records: texts, runs, general } = useTexts();
  const queries = useQueryClient();
  const mayRead = useMay("jobs:read");
  const mayStop = useMay("jobs:write");
  const stopping = useAction();
  const queryKey = [appId, "jobs", jobId];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.with({ signal }).jobs.get(appId, jobId),
    enabled: mayRead,
    refetchInterval: ({ state }) => (state.data?.status === "running" ? INTERVAL_MS : false),
  });
  const isRunning = data?.status === "running";
  const hasEnded = data !== undefined && !isRunning;
  useEffect(() => {
    if (hasEnded) onEnd();
  }, [hasEnded, onEnd]);
  const stop = async () => queries.setQueryData<Job>(queryKey, await client.jobs.cancel(appId, jobId));
  return (
    <Dialog
      title={texts.jobs[kind]}
      onClose={onClose}
      actions={
        <>
          {isRunning && mayStop ? (
            <Button isBusy={stopping.isBusy} onClick={() => void stopping.run(stop)}>
              {runs.stop}
            </Button>
          ) : null}
          <Button kind="primary" onClick={onClose}>
            {general.close}
          </Button>
        </>
      }
    >
      {(stopping.error ?? error) === null ? null : <ProblemNote error={stopping.error ?? error} />}
      {!mayRead ? (
        <p role="status">{`${runs.progressHidden} ${general.needsScope("jobs:read")}`}</p>
      ) : data === undefined ? (
        error === null ? (
          <Loading />
        ) : null
      ) : (
        <Progress job={data} total={totalOf(data, total)} title={texts.jobs[kind]} />
      )}
    </Dialog>
  );
}

/** A number that was counted elsewhere is wrong if more is done already. */
const totalOf = ({ total, done }: Job, counted: number | null) =>
  total ?? (counted !== null && counted >= done ? counted : null);

interface ProgressProps {
  readonly job: Job;
  readonly total: number | null;
  readonly title: string;
}

function Progress({ job, total, title }: ProgressProps) {
  const { records: texts } = useTexts();
  const isRunning = job.status === "running";
  const counts = useCounts(job, total);
  const { failed, problems } = job.report;
  return (
    <>
      <p role="status">
        {isRunning ? null : <strong className={job.status}>{`${texts.jobEnded[job.status]} `}</strong>}
        {job.error === null ? counts : <bdi className="failed-text">{job.error.message}</bdi>}
      </p>
      {isRunning ? (
        <progress
          className="job-progress"
          aria-label={title}
          value={total === null ? undefined : job.done}
          max={Math.max(1, total ?? 1)}
        />
      ) : null}
      {/* What was done before the error stays done. */}
      {job.error === null ? null : <p>{`${texts.untilThen} ${counts}`}</p>}
      {failed === 0 ? null : (
        <>
          <h3>{texts.problems(failed)}</h3>
          <ul>
            {problems.map(({ line, record_id, message }) => (
              <li key={`${line} ${record_id} ${message}`}>
                {line === null ? record_id : texts.line(line)}: <bdi>{message}</bdi>
              </li>
            ))}
          </ul>
          {problems.length < failed ? <p>{texts.firstProblems(problems.length)}</p> : null}
        </>
      )}
    </>
  );
}

/** What a job has done so far, and what it did not. */
function useCounts({ kind, status, done, report: { written, failed } }: Job, total: number | null): string {
  const { records: texts } = useTexts();
  const { number } = useFormat();
  if (status === "running") return total === null ? texts.done(done) : texts.progress(number(done), number(total));
  if (kind !== "records.import") return texts.evaluated(number(done - failed), number(failed));
  if (status === "succeeded" && done === 0) return texts.noRows;
  // An import that has failed before its first row has written nothing.
  const { created, updated, unchanged } = written ?? NOTHING;
  return texts.written(number(created), number(updated), number(unchanged), number(failed));
}
