/** The draft of a session, in components. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { POLLING_MS } from "../live/live-query.ts";
import { client, isServerError } from "../server/client.ts";
import { isOtherApp, readSession } from "../session/session.ts";
import { useSession } from "../session/session-context.ts";
import { useTexts } from "../texts/language.ts";
import { type History, isTyped } from "./draft/history.ts";
import type { Saving } from "./saving/autosave.ts";
import { type DraftSession, guardDraft } from "./saving/draft-session.ts";

export const useHistory = ({ draft }: DraftSession): History => useSyncExternalStore(draft.subscribe, draft.history);

/** Longer than between two keys of somebody who types fast. */
const REST_MS = 150;

/** For what stands beside the panel of a step: while somebody types into it, it follows when they pause. A key costs little then. */
export function useHistoryAtRest({ draft }: DraftSession): History {
  const [shown, setShown] = useState(draft.history);
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => setShown(draft.history());
    const stop = draft.subscribe(() => {
      clearTimeout(timer);
      if (isTyped(draft.history())) timer = setTimeout(follow, REST_MS);
      else follow();
    });
    follow();
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [draft]);
  return shown;
}

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
