/** A session that ends in the middle: the page stays, and what it was about to send waits until somebody signs in again. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { dropAllValues } from "../forms/kept-values.ts";
import { onSessionEnd } from "../server/client.ts";
import { queryClient } from "../server/query-client.ts";
import { askSession } from "./ask-session.ts";
import { closeKeptData } from "./kept-data.ts";
import { isSamePerson, isSomebodyElse, readSession, type Session, type SessionAnswer } from "./session.ts";

interface SessionEnd {
  /** Why the page asks to sign in: the session has ended, or another tab has one of another app. Null if it does not. */
  readonly end: "ended" | "taken" | null;
  /** Changes when somebody else has signed in, whose page has nothing of the one before. */
  readonly page: number;
  /** Asks to sign in again where another tab has a session of another app. */
  readonly take: () => void;
  /** Asks to sign in because another tab has signed out. */
  readonly lose: () => void;
  /** Goes on with the session of somebody who has signed in again. */
  readonly resume: (answer: SessionAnswer) => void;
  /** The same with a session that another tab has. */
  readonly adopt: (answer: SessionAnswer) => void;
  /** The session of somebody else that was adopted, until `tell` is called. */
  readonly adopted: Session | null;
  readonly tell: () => void;
}

export function useSessionEnd(session: Session | null, onSession: (answer: SessionAnswer) => void): SessionEnd {
  const [end, setEnd] = useState<SessionEnd["end"]>(null);
  const [page, setPage] = useState(0);
  const before = useRef(session);
  const waiting = useRef<((now: Session | null) => void)[]>([]);
  // Before the effects of what is drawn for the session, which send the first requests.
  useLayoutEffect(() => {
    before.current = session;
    if (session !== null) return;
    // Somebody has signed out. The page may have found the session ended before the response came that says so.
    setEnd(null);
    for (const go of waiting.current.splice(0)) go(null);
  }, [session]);

  useEffect(() => {
    const gone = new AbortController();
    const ended = async (): Promise<Session | null> => {
      const { session: now } = await askSession(readSession, () => undefined, gone.signal);
      // Another tab may have signed in, or somebody here meanwhile.
      if (now !== null || before.current === null) return now;
      setEnd("ended");
      return new Promise((resolve) => waiting.current.push(resolve));
    };
    const forget = onSessionEnd(() => {
      const sender = before.current;
      return async (isRead) => {
        const now = await ended().catch(() => null);
        if (sender === null || now === null) return false;
        // The page goes on with another key of the app. What somebody was about to do is done only with their own.
        return isRead ? !isSomebodyElse(sender, now) : isSamePerson(sender, now);
      };
    });
    return () => {
      gone.abort();
      forget();
    };
  }, []);

  const take = useCallback(() => setEnd("taken"), []);
  const lose = useCallback(() => setEnd("ended"), []);
  const resume = useCallback(
    (answer: SessionAnswer) => {
      const isSame =
        before.current !== null && answer.session !== null && !isSomebodyElse(before.current, answer.session);
      if (!isSame) {
        queryClient.clear();
        dropAllValues();
        void closeKeptData();
        setPage((count) => count + 1);
      }
      setEnd(null);
      onSession(answer);
      for (const go of waiting.current.splice(0)) go(answer.session);
    },
    [onSession],
  );
  const [adopted, setAdopted] = useState<Session | null>(null);
  const adopt = useCallback(
    (answer: SessionAnswer) => {
      const { session: now } = answer;
      if (before.current !== null && now !== null && !isSamePerson(before.current, now)) setAdopted(now);
      resume(answer);
    },
    [resume],
  );
  const tell = useCallback(() => setAdopted(null), []);
  return { end, page, take, lose, resume, adopt, adopted, tell };
}
