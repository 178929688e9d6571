/** The draft of a session, in components. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { POLLING_MS } from "../live/live-query.ts";
import { client, isServerError } from "../server/client.ts";
import { useTexts } from "../texts/language.ts";
import type { History } from "./draft/history.ts";
import type { Saving } from "./saving/autosave.ts";
import { type DraftSession, guardDraft } from "./saving/draft-session.ts";

export const useHistory = ({ draft }: DraftSession): History => useSyncExternalStore(draft.subscribe, draft.history);

export const useSaving = ({ autosave }: DraftSession): Saving =>
  useSyncExternalStore(autosave.subscribe, autosave.state);

/** Asks before the page is left with changes that the server does not have. */
export function useLeavingGuard(session: DraftSession): void {
  const { editor } = useTexts();
  useEffect(() => guardDraft(session, () => confirm(editor.leave)), [session, editor]);
}

/**
 * Takes over what others store, while nothing is changed here. No stream names drafts.
 * @returns Whether somebody has deleted the workflow
 */
export function useOthersChanges(session: DraftSession): boolean {
  const { appId, workflowId, autosave } = session;
  const theirs = useQuery({
    queryKey: [appId, "workflows", workflowId, "draft"],
    queryFn: ({ signal }) => client.with({ signal }).workflows.getDraft(appId, workflowId),
    refetchInterval: POLLING_MS,
  });
  useEffect(() => {
    if (theirs.data !== undefined) autosave.adopt(theirs.data);
  }, [theirs.data, autosave]);
  return isServerError(theirs.error) && theirs.error.code === "not_found";
}
