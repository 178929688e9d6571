/** A text with the numbers of its lines, and a mark on the line that failed. */
import { useState } from "react";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.ts";
import { Button } from "../controls/button.tsx";
import { useMark } from "./use-mark.ts";
import { visibleText } from "./visible-text.ts";
import "./code-lines.css";

/** Lines that are shown at first, and more with each step. */
const LINES = 500;
/** Characters of a line that are shown. */
const MAX_LINE = 2_000;

interface CodeLinesProps {
  readonly text: string;
  /** The line that failed, from 1. */
  readonly failed: number | null;
}

export function CodeLines({ text, failed }: CodeLinesProps) {
  const { run: texts, general } = useTexts();
  const format = useFormat();
  const lines = text.split(/\r?\n/);
  const [from, setFrom] = useState(() => firstShown(failed));
  const [until, setUntil] = useState(from + LINES);
  const mark = useMark<HTMLLIElement>();
  return (
    <div className="code-lines" dir="ltr">
      {from > 0 ? (
        <Button kind="quiet" onClick={() => setFrom(Math.max(0, from - LINES))}>
          {general.loadMore} ({format.number(from)})
        </Button>
      ) : null}
      <ol start={from + 1}>
        {lines.slice(from, until).map((line, index) => {
          const number = from + index + 1;
          const isFailed = number === failed;
          return (
            <li
              key={number}
              ref={isFailed ? mark : undefined}
              className={isFailed ? "failed" : ""}
              tabIndex={isFailed ? -1 : undefined}
            >
              {isFailed ? <span className="visually-hidden">{texts.failedLine}</span> : null}
              <code>{visibleText(line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line)}</code>
            </li>
          );
        })}
      </ol>
      {lines.length > until ? (
        <Button kind="quiet" onClick={() => setUntil(until + LINES)}>
          {general.loadMore} ({format.number(lines.length - until)})
        </Button>
      ) : null}
    </div>
  );
}

/** With lines before the one that failed. */
const firstShown = (failed: number | null): number =>
  failed === null || failed <= LINES ? 0 : failed - Math.floor(LINES / 2);
