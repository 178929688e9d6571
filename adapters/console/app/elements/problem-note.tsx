/** An error of the server, in its own words, with each field that it names. */
import type { ReactNode, Ref } from "react";
import { isServerError } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { Callout } from "./callout.tsx";
import { Button } from "./controls/button.tsx";

interface ProblemNoteProps {
  readonly ref?: Ref<HTMLDivElement>;
  readonly error: unknown;
  /** What is said without a connection. @default that what was typed is kept */
  readonly offline?: string;
  /** Tries again. */
  readonly onRetry?: () => void;
}

export function ProblemNote({ ref, error, offline, onRetry }: ProblemNoteProps) {
  const { general } = useTexts();
  const isMissing = isServerError(error) && error.status === 404;
  const fields = isServerError(error) ? (error.errors ?? []) : [];
  return (
    <Callout
      ref={ref}
      icon="error"
      title={isMissing ? general.notFound : general.failed}
      role="alert"
      actions={onRetry === undefined ? null : <Button onClick={onRetry}>{general.retry}</Button>}
    >
      <p>{isMissing ? general.notFoundText : messageOf(error, { ...general, offline: offline ?? general.offline })}</p>
      {fields.length > 1 ? (
        <ul>
          {fields.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointer}</code> {message}
            </li>
          ))}
        </ul>
      ) : null}
    </Callout>
  );
}

/** What is said of errors that have no sentence of the server. */
interface ErrorTexts {
  readonly offline: string;
  readonly unreadable: string;
}

/** What failed elsewhere, such as at the receiver of a webhook. The place around it reads it out. */
export function FailureNote({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Callout icon="error" title={title}>
      <p>{children}</p>
    </Callout>
  );
}

/** The server's sentence. What a proxy, or the page itself, says of an error is of no use to its reader. */
export function messageOf(error: unknown, { offline, unreadable }: ErrorTexts): string {
  if (!isServerError(error) || error.cause instanceof SyntaxError) return unreadable;
  if (error.code === "unavailable" && error.cause !== undefined) return offline;
  const type = error.headers["content-type"];
  // What the page itself refuses has no response.
  const isForeign = type === undefined ? error.code === "unavailable" : !/^application\/problem\+json/.test(type);
  return isForeign ? unreadable : error.message;
}
