/** What a screen has read of the server, or why it has not. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isServerError } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { Callout } from "./callout.tsx";
import { Loading } from "./loading.tsx";
import { ProblemNote } from "./problem-note.tsx";

/** What a read has come to. */
export type Read<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;

interface LoadedProps<Data> {
  readonly query: Read<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** What was read stays while reading it again fails: somebody may be typing into it. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: LoadedProps<Data>) {
  const { general } = useTexts();
  const note = error === null ? null : <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return note ?? <Loading />;
  const isGone = isServerError(error) && error.status === 404;
  return (
    <>
      {isGone ? (
        <Callout icon="warning" title={general.gone} role="alert">
          <p>{general.goneText}</p>
        </Callout>
      ) : (
        note
      )}
      {children(data)}
    </>
  );
}
