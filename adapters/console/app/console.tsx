/** The console: who uses it, and the screen of the address. */
import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useCallback, useDeferredValue, useEffect, useState } from "react";
import { Loading } from "./elements/loading.tsx";
import { Frame } from "./frame/frame.tsx";
import { ScreenBoundary } from "./frame/screen-boundary.tsx";
import { StartBar } from "./frame/start-bar.tsx";
import { navigate, type Place, placeNow, ShownPlace, usePlace } from "./routing/location.ts";
import { preloadScreen, screenAt } from "./screens.ts";
import { onSessionEnd } from "./server/client.ts";
import { queryClient } from "./server/query-client.ts";
import { readSession, type SessionAnswer, signInOnce } from "./session/session.ts";
import { SessionContext, useSession } from "./session/session-context.ts";
import { SignIn } from "./session/sign-in.tsx";
import { useSettings } from "./settings/use-settings.ts";
import { loadMessages, MessagesContext } from "./texts/language.ts";
import type { Messages } from "./texts/messages.ts";

export function Console({ messages: first }: { readonly messages: Messages }) {
  const messages = useMessages(first);
  const { answer, hasEnded, setAnswer } = useAnswer();
  return (
    <MessagesContext value={messages}>
      <QueryClientProvider client={queryClient}>
        {answer === null ? (
          <StartBar />
        ) : answer.session === null ? (
          <SignIn signInUrl={answer.sign_in} hasEnded={hasEnded} onSignedIn={setAnswer} />
        ) : (
          <SessionContext value={answer.session}>
            <Screens onSession={setAnswer} />
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
    let isCurrent = true;
    void loadMessages(language).then((loaded) => {
      if (isCurrent) setMessages(loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return messages;
}

function useAnswer() {
  const [answer, setAnswer] = useState<SessionAnswer | null>(null);
  const [hasEnded, setEnded] = useState(false);
  const change = useCallback((next: SessionAnswer) => {
    setEnded(false);
    setAnswer(next);
  }, []);
  useEffect(() => {
    // The files of the screen are loaded meanwhile.
    void Promise.all([firstAnswer(), preloadScreen(placeNow().path)]).then(([first]) => setAnswer(first));
    // The screen is taken away only if nobody is signed in any more; a key may also have lost a scope.
    return onSessionEnd(() => {
      void readSession().then((current) => {
        if (current.session !== null) return;
        setEnded(true);
        setAnswer(current);
      });
    });
  }, []);
  return { answer, hasEnded, setAnswer: change };
}

/** A link of the command line signs in once. The token leaves the address before anything else is loaded. */
async function firstAnswer(): Promise<SessionAnswer> {
  const query = new URLSearchParams(location.search);
  const once = query.get("once");
  if (once === null) return readSession().catch(() => ({ session: null, sign_in: null }));
  navigate("/", { replace: true });
  return signInOnce(once).catch(() => readSession());
}

function Screens({ onSession }: { readonly onSession: (answer: SessionAnswer) => void }) {
  const place = usePlace();
  const { app_id } = useSession();
  const { params: wanted, section } = screenAt(place.path);
  // Settings and the reference belong to no app: the way back to the app of the session stays.
  const appId = wanted["app"] ?? (place.path === "/apps" ? null : app_id);
  const shown = useShownPlace(place);
  const { Screen, params } = screenAt(shown.path);
  return (
    <Frame section={section} appId={appId} onSession={onSession}>
      <ShownPlace value={shown}>
        <Suspense fallback={<Loading />}>
          <ScreenBoundary key={shown.path}>
            <Screen params={params} onSession={onSession} />
          </ScreenBoundary>
        </Suspense>
      </ShownPlace>
    </Frame>
  );
}

/** What was there stays until the next screen is loaded. Within a screen, its address changes at once. */
function useShownPlace(place: Place): Place {
  const before = useDeferredValue(place);
  return before.path === place.path ? place : before;
}
