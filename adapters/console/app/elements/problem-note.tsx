/** An error of the server, in its own words, with each field that it names. */
import type { Ref } from "react";
import { isServerError } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { Button } from "./controls/button.tsx";
import { Icon } from "./icons.tsx";
import "./problem-note.css";

interface ProblemNoteProps {
  readonly ref?: Ref<HTMLDivElement>;
  readonly error: unknown;
  /** Tries again. */
  readonly onRetry?: () => void;
}

export function ProblemNote({ ref, error, onRetry }: ProblemNoteProps) {
  const { general } = useTexts();
  const isMissing = isServerError(error) && error.status === 404;
  const fields = isServerError(error) ? (error.errors ?? []) : [];
  return (
    <div ref={ref} className="problem-note" role="alert" tabIndex={-1}>
      <p>
        <Icon name="error" /> <strong>{isMissing ? general.notFound : general.failed}</strong>
      </p>
      <p>{isMissing ? general.notFoundText : messageOf(error, general.offline)}</p>
      {fields.length > 1 ? (
        <ul>
          {fields.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointer}</code> {message}
            </li>
          ))}
        </ul>
      ) : null}
      {onRetry === undefined ? null : <Button onClick={onRetry}>{general.retry}</Button>}
    </div>
  );
}

/** The server's sentence. Without a response there is none. */
export function messageOf(error: unknown, offline: string): string {
  if (isServerError(error)) return error.code === "unavailable" && error.cause !== undefined ? offline : error.message;
  return error instanceof Error ? error.message : String(error);
}
