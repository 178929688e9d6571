/** The progress of a job, and what went wrong with single items. The job goes on if the dialog is closed. */
import { useQuery } from "@tanstack/react-query";
import { Button } from "../elements/controls/button.tsx";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { Loading } from "../elements/loading.tsx";
import { ProblemNote } from "../elements/problem-note.tsx";
import { client } from "../server/client.ts";
import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.ts";

interface JobDialogProps {
  readonly appId: string;
  readonly jobId: string;
  readonly onClose: () => void;
}

const INTERVAL_MS = 500;

export function JobDialog({ appId, jobId, onClose }: JobDialogProps) {
  const { records: texts, general } = useTexts();
  const format = useFormat();
  const job = useQuery({
    queryKey: [appId, "jobs", jobId],
    queryFn: () => client.jobs.get(appId, jobId),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? INTERVAL_MS : false),
  });
  const { data } = job;
  const isRunning = data?.status === "running";
  return (
    <Dialog
      title={data?.kind ?? general.loading}
      onClose={onClose}
      actions={
        <>
          {isRunning ? (
            <Button onClick={() => void client.jobs.cancel(appId, jobId).then(() => job.refetch())}>
              {general.cancel}
            </Button>
          ) : null}
          <Button kind="primary" onClick={onClose}>
            {general.close}
          </Button>
        </>
      }
    >
      {job.error === null ? null : <ProblemNote error={job.error} />}
      {data === undefined ? (
        <Loading />
      ) : (
        <>
          <p role="status">
            {texts.progress(data.done, data.total === null ? general.unknown : format.number(data.total))}
          </p>
          <progress
            aria-label={data.kind}
            value={data.total === null ? undefined : data.done}
            max={Math.max(1, data.total ?? 1)}
          />
          {data.error === null ? null : <p className="failed-text">{data.error.message}</p>}
          {data.report.failed === 0 ? null : (
            <>
              <h3>{texts.problems(data.report.failed)}</h3>
              <ul>
                {data.report.problems.map((problem) => (
                  <li key={`${problem.line} ${problem.record_id} ${problem.message}`}>
                    {problem.line === null ? problem.record_id : texts.line(problem.line)}: {problem.message}
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Dialog>
  );
}
