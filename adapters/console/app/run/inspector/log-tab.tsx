/** The log of a step, by attempts, items and repetitions: searchable, and whole as a file. */
import { useState } from "react";
import type { LogPart, RunStep } from "../../../../../src/runs/run-step.ts";
import { Button } from "../../elements/controls/button.tsx";
import { Loading } from "../../elements/loading.tsx";
import { ProblemNote } from "../../elements/problem-note.tsx";
import { useTexts } from "../../texts/language.ts";
import { useShownRun } from "../run-context.ts";
import { useStepDetails } from "../step-details.ts";
import { download } from "../values/save-value.ts";
import { partName } from "./part-name.ts";

/** Lines in the page, the newest ones. */
const LINES = 500;

export function LogTab({ step }: { readonly step: RunStep }) {
  const { run: texts } = useTexts();
  const [search, setSearch] = useState("");
  const [count, setCount] = useState(LINES);
  const wanted = search.toLowerCase();
  const { at } = useShownRun();
  const isLong = step.omitted?.includes("logs") === true;
  const isLeftOut = isLong || at !== null;
  const { data: details, error, isLoading, refetch } = useStepDetails(step, at, isLeftOut);
  const { logs = [], log_parts: parts = [] } = (isLeftOut ? details : step) ?? {};
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
  const nameOf = ({ attempt, item }: LogPart) => {
    const name = texts.attempt(attempt);
    if (item === undefined) return name;
    return `${partName(texts, step, item)} · ${name}`;
  };
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
        <Button kind="quiet" icon="download" onClick={() => download(textOf(logs, parts, nameOf), `${step.key}-log`)}>
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
      {groupsOf(shown, parts).map(({ part, lines }) => (
        <section key={lines[0]} className="log-part">
          {part === null ? null : <h3>{nameOf(part)}</h3>}
          <ol className="log-lines" tabIndex={0} aria-label={part === null ? texts.tabs.log : nameOf(part)}>
            {lines.map((index) => (
              <li key={index} value={index + 1} dir="auto">
                {logs[index]}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

interface Group {
  readonly part: LogPart | null;
  /** Indexes of lines. */
  readonly lines: readonly number[];
}

/** Lines by the part of the log that they are in. @param lines Their indexes, in order. */
function groupsOf(lines: readonly number[], parts: readonly LogPart[]): readonly Group[] {
  if (lines.length === 0) return [];
  if (parts.length === 0) return [{ part: null, lines }];
  let start = 0;
  return parts.flatMap((part) => {
    const end = start + part.lines;
    const own = lines.filter((index) => index >= start && index < end);
    start = end;
    return own.length === 0 ? [] : [{ part, lines: own }];
  });
}

function textOf(logs: readonly string[], parts: readonly LogPart[], nameOf: (part: LogPart) => string): string {
  const all = groupsOf([...logs.keys()], parts);
  return all
    .flatMap(({ part, lines }) => [
      ...(part === null ? [] : [`# ${nameOf(part)}`]),
      ...lines.map((index) => logs[index]),
    ])
    .join("\n");
}
