/** A draft that is open in this page: its model, and what keeps it in step with the server. It outlives its screen. */
import { type Definition, type Draft, definitionOf } from "../../../../../src/workflows/version.ts";
import { guardLeaving } from "../../routing/location.ts";
import { client, isServerError } from "../../server/client.ts";
import { isRefusal } from "../../server/refusal.ts";
import { onForget, onHandOver, settleBeforeForgetting } from "../../session/kept-data.ts";
import { createDraftStore, type DraftStore } from "../draft/draft-store.ts";
import { type Autosave, createAutosave } from "./autosave.ts";
import { createKeeper, forgetDraft, type Keeper, keptDrafts, passDrafts, placeOf } from "./kept-drafts.ts";
import { isTabOpen, tabId } from "./tab.ts";

export interface DraftSession {
  readonly appId: string;
  readonly workflowId: string;
  readonly draft: DraftStore;
  readonly autosave: Autosave;
  readonly keeper: Keeper;
  /** When changes that are brought back were made; null for none. Milliseconds. */
  readonly restoredFrom: number | null;
}

/** Those of this page. A draft keeps its history while other screens are shown. */
const sessions = new Map<string, Promise<DraftSession>>();

export function openDraft(appId: string, workflowId: string): Promise<DraftSession> {
  const place = placeOf(appId, workflowId);
  const known = sessions.get(place);
  if (known !== undefined) return known;
  const session = createSession(appId, workflowId);
  sessions.set(place, session);
  session.catch(() => sessions.delete(place));
  return session;
}

onForget(async () => {
  const open = [...sessions.values()];
  // At once: a page that is drawn anew meanwhile begins with the draft of the server.
  sessions.clear();
  for (const one of await Promise.allSettled(open)) if (one.status === "fulfilled") one.value.autosave.stop();
});

settleBeforeForgetting("drafts", async () => {
  const open = (await Promise.allSettled(sessions.values())).flatMap((one) =>
    one.status === "fulfilled" ? one.value : [],
  );
  await Promise.all(open.map(({ autosave }) => autosave.flush()));
  // What was kept of them is gone by then.
  await Promise.all(open.map(({ keeper }) => keeper.written()));
  return open.every(isStored);
});

onHandOver(async (before, now) => {
  for (const one of await Promise.allSettled(sessions.values()))
    if (one.status === "fulfilled") one.value.keeper.pass(now);
  await passDrafts(await tabId(), before, now);
});

/** Forgets a draft whose workflow was deleted. */
export async function closeDraft(appId: string, workflowId: string): Promise<void> {
  const place = placeOf(appId, workflowId);
  sessions.delete(place);
  await forgetDraft(place, await tabId());
}

async function createSession(appId: string, workflowId: string): Promise<DraftSession> {
  const read = () => client.workflows.getDraft(appId, workflowId);
  const [first, tab] = await Promise.all([read(), tabId()]);
  const place = placeOf(appId, workflowId);
  const draft = createDraftStore(definitionOf(first), Date.now);
  const keeper = createKeeper(place, tab, (isKept) => autosave.setKept(isKept));
  const autosave: Autosave = createAutosave({
    draft,
    first,
    read,
    write: (definition, revision) => write(appId, workflowId, definition, revision),
    isClash: (error) => isServerError(error) && error.code === "precondition_failed",
    isTransient: (error) => !isRefusal(error) || (isServerError(error) && error.status === 401),
    keep: keeper.keep,
    now: Date.now,
    later(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
  });
  return { appId, workflowId, draft, autosave, keeper, restoredFrom: await restore(place, tab, autosave) };
}

/** The editor holds read-only parts; the call takes a plain copy. */
const write = (appId: string, workflowId: string, definition: Definition, revision: number): Promise<Draft> =>
  client.workflows.putDraft(appId, workflowId, { ...definition, expected_revision: revision });

/** Brings back what this tab had not stored, or else what one had that is closed. */
async function restore(place: string, tab: string, autosave: Autosave): Promise<number | null> {
  for (const kept of await keptDrafts(place)) {
    if (kept.tab !== tab && (await isTabOpen(kept.tab))) continue;
    autosave.restore(kept);
    if (kept.tab !== tab) await forgetDraft(place, kept.tab);
    return autosave.state().kind === "saved" ? null : kept.at;
  }
  return null;
}

const isStored = ({ autosave }: DraftSession) => autosave.state().kind === "saved";

/** A field such as the key of a step takes effect when it is left: so does it when the page is, which does not say so. */
function takeTyped(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement)) return;
  field.blur();
  field.focus();
}

/**
 * Stores what is not stored when the page is left or hidden, and asks before it is left without.
 * @param questionOf Gets whether this browser has the changes.
 * @returns Removes the guards.
 */
export function guardDraft(session: DraftSession, questionOf: (isHere: boolean) => string): () => void {
  const onHide = () => {
    if (document.hidden) void session.autosave.flush();
  };
  const onUnload = (event: BeforeUnloadEvent) => {
    takeTyped();
    if (isStored(session)) return;
    void session.autosave.flush();
    event.preventDefault();
  };
  const removeGuard = guardLeaving((leaving) => {
    const state = session.autosave.state();
    // Who signs out is asked about all drafts at once.
    if (state.kind === "saved" || leaving !== "screen") return null;
    void session.autosave.flush();
    // What is about to be stored goes on being stored on the next screen.
    return state.kind === "saving" ? null : questionOf(state.isHere);
  });
  document.addEventListener("visibilitychange", onHide);
  addEventListener("beforeunload", onUnload);
  return () => {
    document.removeEventListener("visibilitychange", onHide);
    removeEventListener("beforeunload", onUnload);
    removeGuard();
  };
}
