/** Asks to sign in over the page, which stays as it is below: nothing that was typed is lost. */
import { useEffect, useState } from "react";
import { Button } from "../elements/controls/button.tsx";
import { Dialog } from "../elements/dialogs/dialog.tsx";
import { urlOf } from "../routing/location.ts";
import { useTexts } from "../texts/language.ts";
import { announceSession, onSessionNews } from "./other-session.tsx";
import { isOtherApp, openApp, readSession, type Session, type SessionAnswer } from "./session.ts";
import { SignInForm } from "./sign-in-form.tsx";

interface SignInAgainProps {
  /** The session that the page was shown with. */
  readonly session: Session;
  /** Where the host signs people in; null for nowhere. */
  readonly signInUrl: string | null;
  /** Whether it has ended; else the page belongs to another one. */
  readonly hasEnded: boolean;
  /** Somebody has signed in, here or in another tab. */
  readonly onSignedIn: (answer: SessionAnswer) => void;
}

export function SignInAgain({ session, signInUrl, hasEnded, onSignedIn }: SignInAgainProps) {
  const { session: texts } = useTexts();
  const [isTaken, setTaken] = useState(false);
  useEffect(
    () =>
      onSessionNews(() => {
        if (document.hidden) return;
        void readSession().then(
          async (now) => {
            if (now.session !== null && !isOtherApp(session, now.session)) onSignedIn(await withApp(now, session));
          },
          () => undefined,
        );
      }),
    [session, onSignedIn],
  );
  /** The page stays below a session of another app, in which it would be lost: the key may be the wrong one. */
  async function signedIn(given: SessionAnswer): Promise<void> {
    const answer = await withApp(given, session);
    const isOther = answer.session !== null && isOtherApp(session, answer.session);
    setTaken(isOther);
    if (isOther) announceSession();
    else onSignedIn(answer);
  }
  return (
    <Dialog title={texts.title} isHeld onClose={() => undefined}>
      {hasEnded && !isTaken ? <p>{texts.ended}</p> : null}
      {isTaken ? (
        <div role="alert">
          <p>{texts.keyOfOther}</p>
          <Button onClick={() => location.assign(urlOf("/"))}>{texts.openOther}</Button>
        </div>
      ) : null}
      <SignInForm signInUrl={signInUrl} keepsPage onSignedIn={signedIn} />
    </Dialog>
  );
}

/** A new session of an admin has opened no app: it opens that of the page. */
async function withApp(answer: SessionAnswer, { app_id }: Session): Promise<SessionAnswer> {
  const isWithout = answer.session?.admin === true && app_id !== null && answer.session.app_id !== app_id;
  return isWithout ? openApp(app_id).catch(() => answer) : answer;
}
