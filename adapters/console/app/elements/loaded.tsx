/** What a screen has read of the server, or why it has not. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Section } from "../routing/screen-props.ts";
import { isServerError } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import { Callout } from "./callout.tsx";
import { Loading } from "./loading.tsx";
import { ProblemNote } from "./problem-note.tsx";
import { ScreenProblem } from "./screen-problem.tsx";

/** What a read has come to. */
export type Read<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;

interface LoadedProps<Data> {
  readonly query: Read<Data>;
  /** Where a whole screen belongs. Without it, what was read is a part of one. */
  readonly screen?: { readonly appId: string; readonly section: Section };
  readonly children: (data: Data) => ReactNode;
}

/** What was read stays while reading it again fails: somebody may be typing into it. */
export function Loaded<Data>({ query: { data, error, refetch }, screen, children }: LoadedProps<Data>) {
  const { general } = useTexts();
  const retry = () => void refetch();
  const note = error === null ? null : <ProblemNote error={error} onRetry={retry} />;
  if (data === undefined && error !== null && screen !== undefined)
    return <ScreenProblem {...screen} error={error} onRetry={retry} />;
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
