/** The log of a step: searchable, and whole as a file. */
import { useDeferredValue, useState } from "react";
import type { RunStep } from "../../../../../src/runs/run-step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";
import { useStepDetails } from "../step-details.ts";
import { download } from "./save-value.ts";

/** Lines in the page, the newest ones. */
const LINES = 500;

export function LogTab({ step }: { readonly step: RunStep }) {
  const { run: texts } = useTexts();
  const [search, setSearch] = useState("");
  const [count, setCount] = useState(LINES);
  const wanted = useDeferredValue(search.toLowerCase());
  const { at } = useShownRun();
  const isLong = step.omitted?.includes("logs") === true;
  const isLeftOut = isLong || at !== null;
  const { data: details, error, isLoading, refetch } = useStepDetails(step, at, isLeftOut);
  const logs = (isLeftOut ? details?.logs : step.logs) ?? [];
  if (isLeftOut && error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (isLeftOut && isLoading) {
    return (
      <>
        {isLong ? <p className="cut-note">{texts.logLeftOut}</p> : null}
        <Loading />
      </>
    );
  }
  if (logs.length === 0) return <p className="hint">{texts.noLog}</p>;
  const found = logs.flatMap((line, index) => (wanted === "" || line.toLowerCase().includes(wanted) ? [index] : []));
  const shown = found.slice(-count);
  return (
    <div className="log-tab">
      <div className="log-tools">
        <input
          type="search"
          aria-label={texts.searchLog}
          placeholder={texts.searchLog}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <span role="status">{texts.lines(found.length)}</span>
        <Button kind="quiet" icon="download" onClick={() => download(logs.join("\n"), `${step.key}-log`)}>
          {texts.whole}
        </Button>
      </div>
      {isLong && at === null ? (
        <p className="cut-note">
          {texts.logLeftOut}{" "}
          {step.finished_at === null ? <Button onClick={() => void refetch()}>{texts.readAgain}</Button> : null}
        </p>
      ) : null}
      {found.length > shown.length ? (
        <Button kind="quiet" onClick={() => setCount(count + LINES)}>
          {texts.earlierLines(found.length - shown.length)}
        </Button>
      ) : null}
      {found.length === 0 ? <p className="hint">{texts.noMatch}</p> : null}
      <ol className="log-lines" tabIndex={0} aria-label={texts.tabs.log}>
        {shown.map((index) => (
          <li key={index} value={index + 1} dir="auto">
            {logs[index]}
          </li>
        ))}
      </ol>
    </div>
  );
}
