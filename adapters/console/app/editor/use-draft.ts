/** The draft of a session, in components. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { POLLING_MS } from "../live/live-query.ts";
import { client, isServerError } from "../server/client.ts";
import { isOtherApp, readSession } from "../session/session.ts";
import { useSession } from "../session/session-context.ts";
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
  useEffect(() => guardDraft(session, (isHere) => (isHere ? editor.leave : editor.leaveUnkept)), [session, editor]);
}

const DELETED = "deleted";
const UNKNOWN = "unknown";

/** Whether the browser has the session of another app by now, to which nothing of this one exists. */
function useIsElsewhere(): () => Promise<boolean> {
  const before = useSession();
  return async () => {
    const { session } = await readSession();
    return session === null || isOtherApp(before, session);
  };
}

/**
 * Takes over what others store, while nothing is changed here. No stream names drafts.
 * @returns Whether somebody has deleted the workflow
 */
export function useOthersChanges(session: DraftSession): boolean {
  const { appId, workflowId, autosave } = session;
  const isElsewhere = useIsElsewhere();
  const theirs = useQuery({
    queryKey: [appId, "workflows", workflowId, "draft"],
    async queryFn({ signal }) {
      try {
        return await client.with({ signal }).workflows.getDraft(appId, workflowId);
      } catch (error) {
        if (!isServerError(error) || error.code !== "not_found") throw error;
        return (await isElsewhere()) ? UNKNOWN : DELETED;
      }
    },
    refetchInterval: POLLING_MS,
  });
  const { data = UNKNOWN } = theirs;
  useEffect(() => {
    if (data !== UNKNOWN && data !== DELETED) autosave.adopt(data);
  }, [data, autosave]);
  return data === DELETED;
}
