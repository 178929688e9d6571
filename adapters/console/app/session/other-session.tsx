/** Another session in the same browser: all tabs share its cookie, so that one tab can take the app from the others. */
import { useEffect, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { urlOf } from "../routing/location.ts";
import { useTexts } from "../texts/language.ts";
import { isOtherApp, readSession, type Session } from "./session.ts";

/** Tabs of this console only: there may be several services on one host. */
const channel = new BroadcastChannel(`stepwell-session ${urlOf("/")}`);

/** Call it when somebody has signed in in this tab. */
export function announceSession(): void {
  channel.postMessage(null);
}

/**
 * @param look Called when somebody may have signed in in another tab.
 * @returns Removes the listener.
 */
export function onSessionNews(look: () => void): () => void {
  const listen = () => look();
  channel.addEventListener("message", listen);
  document.addEventListener("visibilitychange", listen);
  return () => {
    channel.removeEventListener("message", listen);
    document.removeEventListener("visibilitychange", listen);
  };
}

function useOtherSession(session: Session): boolean {
  const [isTaken, setTaken] = useState(false);
  useEffect(() => {
    const look = () => {
      if (document.hidden && !isTaken) return;
      void readSession().then(
        ({ session: now }) => setTaken(now !== null && isOtherApp(session, now)),
        () => undefined,
      );
    };
    return onSessionNews(look);
  }, [session, isTaken]);
  return isTaken;
}

interface OtherSessionProps {
  readonly session: Session;
  /** Asks to sign in. */
  readonly onSignIn: () => void;
}

export function OtherSession({ session, onSignIn }: OtherSessionProps) {
  const { session: texts } = useTexts();
  const isTaken = useOtherSession(session);
  const [isDismissed, setDismissed] = useState(false);
  if (!isTaken || isDismissed) return null;
  return (
    <Dialog
      title={texts.otherApp}
      onClose={() => setDismissed(true)}
      actions={
        <>
          <Button onClick={onSignIn}>{texts.signInAgain}</Button>
          <Button kind="primary" onClick={() => location.assign(urlOf("/"))}>
            {texts.openOther}
          </Button>
        </>
      }
    >
      <p>{texts.otherAppText}</p>
    </Dialog>
  );
}
