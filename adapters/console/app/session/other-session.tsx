/** Another session in the same browser: all tabs share its cookie, so that one tab can take the app from the others. */
import { useEffect, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { urlOf } from "../routing/location.ts";
import { useLeaveGuard } from "../routing/use-leave-guard.ts";
import { useTexts } from "../texts/language.ts";
import { isOtherApp, isSameSession, readSession, type Session, type SessionAnswer } from "./session.ts";

/** Tabs of this console only: there may be several services on one host. */
const channel = new BroadcastChannel(`stepwell-session ${urlOf("/")}`);

/** Call it when somebody has signed in or out in this tab. */
export function announceSession(): void {
  channel.postMessage(null);
}

const looks = new Set<() => void>();

/** Call it when a request has found another session. */
export function lookForSession(): void {
  for (const look of looks) look();
}

/**
 * @param look Called when somebody may have signed in or out in another tab.
 * @returns Removes the listener.
 */
export function onSessionNews(look: () => void): () => void {
  const listen = () => look();
  looks.add(listen);
  channel.addEventListener("message", listen);
  document.addEventListener("visibilitychange", listen);
  return () => {
    channel.removeEventListener("message", listen);
    document.removeEventListener("visibilitychange", listen);
    looks.delete(listen);
  };
}

interface OtherSessionProps {
  readonly session: Session;
  /** Asks to sign in. */
  readonly onSignIn: () => void;
  /** Another tab has signed out. */
  readonly onEnd: () => void;
  /** Another tab has signed in to the same app. */
  readonly onReplaced: (answer: SessionAnswer) => void;
}

/** @returns Whether the session is now one of another app. */
function useOtherSession({ session, onEnd, onReplaced }: OtherSessionProps): boolean {
  const [isTaken, setTaken] = useState(false);
  useEffect(() => {
    const follow = (answer: SessionAnswer) => {
      const { session: now } = answer;
      setTaken(now !== null && isOtherApp(session, now));
      if (now === null) onEnd();
      else if (!isOtherApp(session, now) && !isSameSession(session, now)) onReplaced(answer);
    };
    const look = () => {
      if (document.hidden && !isTaken) return;
      void readSession().then(follow, () => undefined);
    };
    return onSessionNews(look);
  }, [session, isTaken, onEnd, onReplaced]);
  return isTaken;
}

export function OtherSession(props: OtherSessionProps) {
  const { onSignIn } = props;
  const { session: texts } = useTexts();
  const isTaken = useOtherSession(props);
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

interface OfferedSessionProps {
  readonly session: Session;
  readonly onDecide: (isKept: boolean) => void;
}

/** Asks before the page goes on with the session of somebody who may be another person. */
export function OfferedSession({ session, onDecide }: OfferedSessionProps) {
  const { session: texts } = useTexts();
  // What was typed is kept for the session before: nobody else gets it once the page is left.
  useLeaveGuard(() => true);
  return (
    <Dialog
      title={texts.offered}
      isHeld
      onClose={() => undefined}
      actions={
        <>
          <Button onClick={() => onDecide(false)}>{texts.startOver}</Button>
          <Button kind="primary" onClick={() => onDecide(true)}>
            {texts.keepTyped}
          </Button>
        </>
      }
    >
      <p>{texts.offeredText(session.name)}</p>
      <p>{texts.typedBefore}</p>
    </Dialog>
  );
}
