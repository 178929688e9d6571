/** The console: who uses it, and the screen of the address. */
import { QueryClientProvider } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { Loading } from "./elements/loading.tsx";
import { Frame } from "./frame/frame.tsx";
import { NeedsScopeScreen } from "./frame/needs-scope-screen.tsx";
import { ScreenBoundary } from "./frame/screen-boundary.tsx";
import { loadPatiently } from "./loading/load-chunk.ts";
import { navigate, usePlace } from "./routing/location.ts";
import { screenAt } from "./screens.ts";
import { onSessionEnd } from "./server/client.ts";
import { queryClient } from "./server/query-client.ts";
import { announceSession, OtherSession } from "./session/other-session.tsx";
import { missingScope } from "./session/section-scopes.ts";
import { readSession, type SessionAnswer, SessionRefused, signInOnce } from "./session/session.ts";
import { SessionContext, useSession } from "./session/session-context.ts";
import { SignIn } from "./session/sign-in.tsx";
import { useSettings } from "./settings/use-settings.ts";
import { loadMessages, MessagesContext } from "./texts/language.ts";
import type { Messages } from "./texts/messages.ts";

export function Console({ messages: first }: { readonly messages: Messages }) {
  const messages = useMessages(first);
  const { answer, hasEnded, isAddressUsed, setAnswer } = useAnswer();
  return (
    <MessagesContext value={messages}>
      <QueryClientProvider client={queryClient}>
        {answer === null ? (
          <Loading />
        ) : answer.session === null ? (
          <SignIn signInUrl={answer.sign_in} hasEnded={hasEnded} isAddressUsed={isAddressUsed} onSignedIn={setAnswer} />
        ) : (
          <SessionContext value={answer.session}>
            <Screens onSession={setAnswer} />
            <OtherSession
              session={answer.session}
              onSignIn={() => setAnswer({ session: null, sign_in: answer.sign_in })}
            />
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

function useAnswer() {
  const [answer, setAnswer] = useState<SessionAnswer | null>(null);
  const [hasEnded, setEnded] = useState(false);
  const [isAddressUsed, setAddressUsed] = useState(false);
  const change = useCallback((next: SessionAnswer) => {
    setEnded(false);
    setAnswer(next);
    if (next.session !== null) announceSession();
  }, []);
  useEffect(() => {
    void firstAnswer(() => setAddressUsed(true)).then(setAnswer);
    // The screen is taken away only if nobody is signed in any more; a key may also have lost a scope.
    return onSessionEnd(() => {
      void readSession().then((current) => {
        if (current.session !== null) return;
        setEnded(true);
        setAnswer(current);
      });
    });
  }, []);
  return { answer, hasEnded, isAddressUsed, setAnswer: change };
}

/** A link of the command line signs in once. The token leaves the address before anything else is loaded. */
async function firstAnswer(onAddressUsed: () => void): Promise<SessionAnswer> {
  const once = new URLSearchParams(location.search).get("once");
  if (once !== null) {
    navigate("/", { replace: true });
    try {
      const answer = await signInOnce(once);
      announceSession();
      return answer;
    } catch (error) {
      if (error instanceof SessionRefused) onAddressUsed();
    }
  }
  return readSession().catch(() => ({ session: null, sign_in: null }));
}

function Screens({ onSession }: { readonly onSession: (answer: SessionAnswer) => void }) {
  const { path } = usePlace();
  const session = useSession();
  const { app_id } = session;
  const { Screen, params, section } = screenAt(path);
  const scope = missingScope(session, section);
  // Settings and the reference belong to no app: the way back to the app of the session stays.
  const appId = params["app"] ?? (path === "/apps" ? null : app_id);
  return (
    <Frame section={section} appId={appId} onSession={onSession}>
      <ScreenBoundary key={path}>
        {section !== null && scope !== null ? (
          <NeedsScopeScreen section={section} scope={scope} />
        ) : (
          <Screen params={params} onSession={onSession} />
        )}
      </ScreenBoundary>
    </Frame>
  );
}
