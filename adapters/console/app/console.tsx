/** The console: who uses it, and the screen of the address. */
import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isStepwellError } from "../../../src/errors.ts";
import { focusHeading } from "./elements/keep-focus.ts";
import { Loading } from "./elements/loading.tsx";
import { ProblemNote } from "./elements/problem-note.tsx";
import { claimValues } from "./forms/kept-values.ts";
import { Frame } from "./frame/frame.tsx";
import { NeedsScopeScreen } from "./frame/needs-scope-screen.tsx";
import { NotFoundScreen } from "./frame/not-found-screen.tsx";
import { ScreenBoundary } from "./frame/screen-boundary.tsx";
import { StartBar } from "./frame/start-bar.tsx";
import { loadPatiently } from "./loading/load-chunk.ts";
import { navigate, type Place, placeNow, ShownPlace, usePlace } from "./routing/location.ts";
import { isScreenLoaded, preloadScreen, screenAt } from "./screens.ts";
import { queryClient } from "./server/query-client.ts";
import { useAddressApp } from "./session/address-app.ts";
import { askSession } from "./session/ask-session.ts";
import { setOwner } from "./session/kept-data.ts";
import { announceSession, OfferedSession, OtherSession } from "./session/other-session.tsx";
import { missingScope } from "./session/section-scopes.ts";
import { ownerOf, readSession, type SessionAnswer, SessionRefused, signInOnce } from "./session/session.ts";
import { SessionContext, useSession } from "./session/session-context.ts";
import { SignIn } from "./session/sign-in.tsx";
import { SignInAgain } from "./session/sign-in-again.tsx";
import { useSessionEnd } from "./session/use-session-end.ts";
import { useSettings } from "./settings/use-settings.ts";
import { useFormKeys } from "./shortcuts/form-shortcuts.ts";
import { loadMessages, MessagesContext } from "./texts/language.ts";
import type { Messages } from "./texts/messages.ts";

export function Console({ messages: first }: { readonly messages: Messages }) {
  const messages = useMessages(first);
  const { answer, failure, isAddressUsed, setAnswer } = useAnswer(first);
  const { end, page, take, lose, receive, offered, decide } = useSessionEnd(answer?.session ?? null, setAnswer);
  useFormKeys();
  useFocusOnSession(answer === null ? null : answer.session !== null);
  return (
    <MessagesContext value={messages}>
      <QueryClientProvider client={queryClient}>
        {answer === null ? (
          <StartBar failure={failure} />
        ) : answer.session === null ? (
          <SignIn
            signInUrl={answer.sign_in}
            isAddressUsed={isAddressUsed}
            isDev={answer.workflow_files !== undefined}
            onSignedIn={(signedIn) => {
              leaveOtherApp(signedIn);
              setAnswer(signedIn);
            }}
          />
        ) : (
          <SessionContext value={answer.session}>
            <ScreenBoundary key={page} isWholePage>
              <Screens onSession={setAnswer} />
            </ScreenBoundary>
            {offered !== null ? (
              <OfferedSession session={offered} onDecide={decide} />
            ) : end === null ? (
              <OtherSession session={answer.session} onSignIn={take} onEnd={lose} onReplaced={receive} />
            ) : (
              <SignInAgain
                session={answer.session}
                signInUrl={answer.sign_in}
                hasEnded={end === "ended"}
                onSignedIn={receive}
              />
            )}
          </SessionContext>
        )}
      </QueryClientProvider>
    </MessagesContext>
  );
}

/** The texts of the chosen language. Those of the one before stay until they are loaded. */
function useMessages(first: Messages): Messages {
  const { language } = useSettings();
  const [messages, setMessages] = useState(first);
  useEffect(() => {
    const changed = new AbortController();
    void loadPatiently(() => loadMessages(language), changed.signal).then((loaded) => {
      if (loaded !== null && !changed.signal.aborted) setMessages(loaded);
    });
    return () => changed.abort();
  }, [language]);
  return messages;
}

/** Signing in or out draws another page in the place of what had the focus. */
function useFocusOnSession(isSignedIn: boolean | null): void {
  const before = useRef(isSignedIn);
  useEffect(() => {
    const hasChanged = before.current !== null && before.current !== isSignedIn;
    before.current = isSignedIn;
    if (hasChanged) focusHeading();
  }, [isSignedIn]);
}

function useAnswer(messages: Messages) {
  const texts = useRef(messages);
  const [answer, setAnswer] = useState<SessionAnswer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isAddressUsed, setAddressUsed] = useState(false);
  const change = useCallback((next: SessionAnswer) => {
    claim(next);
    setAnswer(next);
    announceSession();
  }, []);
  useEffect(() => {
    const gone = new AbortController();
    const read = (ask: () => Promise<SessionAnswer>) => askSession(ask, setFailure, gone.signal);
    const asked = firstAnswer(read, {
      mayReplace: () => confirm(texts.current.session.replaces),
      onUsed: () => setAddressUsed(true),
    });
    // The files of the screen are loaded meanwhile.
    void Promise.all([asked, preloadScreen(placeNow().path)]).then(([first]) => {
      if (gone.signal.aborted) return;
      claim(first);
      setAnswer(first);
    });
    return () => gone.abort();
  }, []);
  return { answer, failure, isAddressUsed, setAnswer: change };
}

function claim({ session }: SessionAnswer): void {
  if (session === null) return;
  setOwner(ownerOf(session));
  claimValues(ownerOf(session));
}

/** Who signs in where somebody else was goes to the app of the session: at the address of another one, there is nothing to see. */
function leaveOtherApp({ session }: SessionAnswer): void {
  const [, app] = /^\/apps\/([^/]+)/.exec(placeNow().path) ?? [];
  if (app !== undefined && session?.admin === false && session.app_id !== app) navigate("/", { replace: true });
}

interface AddressAnswers {
  /** Asks whether the address ends the session of somebody else. */
  readonly mayReplace: () => boolean;
  readonly onUsed: () => void;
}

type Read = (ask: () => Promise<SessionAnswer>) => Promise<SessionAnswer>;

/** A link of the command line signs in once. The token leaves the address before anything else is loaded. */
async function firstAnswer(read: Read, { mayReplace, onUsed }: AddressAnswers): Promise<SessionAnswer> {
  const once = new URLSearchParams(location.search).get("once");
  if (once !== null) {
    navigate("/", { replace: true });
    try {
      const answer = await read(() => signInOnce(once, false)).catch(async (error: unknown) => {
        if (!isStepwellError(error, "conflict")) throw error;
        return mayReplace() ? read(() => signInOnce(once, true)) : null;
      });
      if (answer !== null) {
        announceSession();
        return answer;
      }
    } catch (error) {
      if (error instanceof SessionRefused) onUsed();
    }
  }
  return read(readSession).catch(() => ({ session: null, sign_in: null }));
}

function Screens({ onSession }: { readonly onSession: (answer: SessionAnswer) => void }) {
  const place = usePlace();
  const session = useSession();
  const { app_id } = session;
  const { params: wanted, section } = screenAt(place.path);
  const access = useAddressApp(wanted["app"] ?? null, onSession);
  // Settings and the reference belong to no app: the way back to the app of the session stays.
  const own = place.path === "/apps" ? null : app_id;
  const appId = access.state === "open" ? (wanted["app"] ?? own) : null;
  const shown = useShownPlace(place);
  const { Screen, params, section: shownSection, key } = screenAt(shown.path);
  const scope = missingScope(session, shownSection);
  return (
    <Frame section={section} appId={appId} shownPath={shown.path} onSession={onSession}>
      <ShownPlace value={shown}>
        <Suspense fallback={<Loading />}>
          <ScreenBoundary key={key}>
            {access.state === "opening" ? (
              <Loading />
            ) : access.state === "failed" ? (
              <ProblemNote error={access.error} onRetry={access.retry} />
            ) : access.state === "foreign" ? (
              <NotFoundScreen />
            ) : shownSection !== null && scope !== null ? (
              <NeedsScopeScreen section={shownSection} scope={scope} />
            ) : (
              <Screen params={params} onSession={onSession} />
            )}
          </ScreenBoundary>
        </Suspense>
      </ShownPlace>
    </Frame>
  );
}

/** What was there stays until the next screen is loaded. Within a screen, its address changes at once. */
function useShownPlace(place: Place): Place {
  const [, setLoaded] = useState<Place | null>(null);
  const shown = useRef(place);
  const isLoaded = isScreenLoaded(place.path);
  if (isLoaded || shown.current.path === place.path) shown.current = place;
  useEffect(() => {
    if (isLoaded) return undefined;
    let isCurrent = true;
    void preloadScreen(place.path).then(() => {
      if (isCurrent) setLoaded(place);
    });
    return () => {
      isCurrent = false;
    };
  }, [isLoaded, place]);
  const { path } = shown.current;
  // A screen that stays meanwhile does not jump.
  useLayoutEffect(() => {
    if (shown.current.path === path && shown.current.isNext) scrollTo(0, 0);
  }, [path]);
  return shown.current;
}
