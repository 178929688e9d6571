/** How far an export of runs has come, and which runs are not in its file. */
import { messageOf } from "../../../elements/problem-note.tsx";
import { isServerError } from "../../../server/client.ts";
import { useTexts } from "../../../texts/language.ts";
import { ProgressBar } from "../progress-bar.tsx";
import { isDeleted } from "./export-runs.ts";
import { dismissExport, type RunExport, useRunExports } from "./run-exports.ts";

/** Of all exports of an app. */
export function ExportProgress({ appId }: { readonly appId: string }) {
  return useRunExports(appId).map((one) => <OneExport key={one.id} run={one} />);
}

function OneExport({ run }: { readonly run: RunExport }) {
  const { runs: texts, general } = useTexts();
  const { id, appId, state, done, total, leftOut, problems, error, stop } = run;
  // What the browser says of a file that it cannot write is in its own language.
  const said = error === null || !isServerError(error) ? general.failed : messageOf(error, general);
  const title = error === null ? texts.progress.export : `${texts.progress.export}: ${said}`;
  return (
    <ProgressBar
      {...{ appId, title, state, done, total, onStop: stop }}
      note={state === "stopped" ? texts.nothingSaved : null}
      problemCount={leftOut === 0 ? null : texts.leftOut(leftOut)}
      problems={problems.map(({ run_id, error }) => ({
        run_id,
        message: isDeleted(error) ? texts.gone : isServerError(error) ? messageOf(error, general) : general.failed,
      }))}
      onDismiss={() => dismissExport(id)}
    />
  );
}
