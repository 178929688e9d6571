/**
 * A session that ends in the middle, or gives way to another one: the page stays, and what it was about to send waits until
 * somebody has signed in.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { SPEAKER, speakerOf } from "../../../../src/console/speaker.ts";
import { dropAllValues } from "../forms/kept-values.ts";
import { setSender } from "../server/client.ts";
import { queryClient } from "../server/query-client.ts";
import { askSession } from "./ask-session.ts";
import { closeKeptData, handOver } from "./kept-data.ts";
import { lookForSession } from "./other-session.tsx";
import {
  isOtherApp,
  isSamePerson,
  isSomebodyElse,
  ownerOf,
  readSession,
  type Session,
  type SessionAnswer,
} from "./session.ts";

interface SessionEnd {
  /** Why the page asks to sign in: the session has ended, or another tab has one of another app. Null if it does not. */
  readonly end: "ended" | "taken" | null;
  /** Changes with each person who is to have nothing of the page before. */
  readonly page: number;
  /** Asks to sign in again where another tab has a session of another app. */
  readonly take: () => void;
  /** Asks to sign in because another tab has signed out. */
  readonly lose: () => void;
  /** Somebody has signed in, here or in another tab. */
  readonly receive: (answer: SessionAnswer) => void;
  /** A session that may be that of somebody else, until `decide` is called. Null if there is none. */
  readonly offered: Session | null;
  /** @param isKept Whether the page goes on with what was typed in the session before. */
  readonly decide: (isKept: boolean) => void;
}

export function useSessionEnd(session: Session | null, onSession: (answer: SessionAnswer) => void): SessionEnd {
  const [end, setEnd] = useState<SessionEnd["end"]>(null);
  const [page, setPage] = useState(0);
  const [offer, setOffer] = useState<SessionAnswer | null>(null);
  const before = useRef(session);
  const waiting = useRef<((now: Session | null) => void)[]>([]);
  // Before the effects of what is drawn for the session, which send the first requests.
  useLayoutEffect(() => {
    before.current = session;
    if (session !== null) return;
    // Somebody has signed out. The page may have found the session ended before the response came that says so.
    setEnd(null);
    setOffer(null);
    for (const go of waiting.current.splice(0)) go(null);
  }, [session]);

  useEffect(() => {
    const gone = new AbortController();
    const ended = async (): Promise<Session | null> => {
      const answer = await askSession(readSession, () => undefined, gone.signal);
      const { session: now } = answer;
      if (before.current === null) return now;
      if (now !== null) {
        // Another tab may have signed in, or somebody here meanwhile.
        const isTaken = isOtherApp(before.current, now);
        if (isTaken) lookForSession();
        if (isTaken || isSamePerson(before.current, now)) return now;
        setOffer(answer);
      } else setEnd("ended");
      return new Promise((resolve) => waiting.current.push(resolve));
    };
    const forget = setSender(() => {
      const sender = before.current;
      return {
        headers: sender === null ? {} : { [SPEAKER]: speakerOf(sender) },
        async untilSignedIn(isRead) {
          const now = await ended().catch(() => null);
          if (sender === null || now === null) return false;
          // What somebody was about to do is done only with their own session.
          return isRead ? !isSomebodyElse(sender, now) : isSamePerson(sender, now);
        },
      };
    });
    return () => {
      gone.abort();
      forget();
    };
  }, []);

  const take = useCallback(() => setEnd("taken"), []);
  const lose = useCallback(() => setEnd("ended"), []);
  const goOn = useCallback(
    (answer: SessionAnswer, isKept: boolean) => {
      if (!isKept) {
        queryClient.clear();
        dropAllValues();
        void closeKeptData();
        setPage((count) => count + 1);
      }
      setEnd(null);
      setOffer(null);
      // What is sent before the page is drawn again is already sent by the new one.
      before.current = answer.session;
      onSession(answer);
      for (const go of waiting.current.splice(0)) go(answer.session);
    },
    [onSession],
  );
  const receive = useCallback(
    (answer: SessionAnswer) => {
      const { session: now } = answer;
      const { current } = before;
      if (current === null || now === null || isSomebodyElse(current, now)) goOn(answer, false);
      else if (isSamePerson(current, now)) goOn(answer, true);
      else setOffer(answer);
    },
    [goOn],
  );
  const decide = useCallback(
    (isKept: boolean) => {
      if (offer === null) return;
      const owner = offer.session === null ? null : ownerOf(offer.session);
      if (!isKept || owner === null) return goOn(offer, false);
      void handOver(owner).then(() => goOn(offer, true));
    },
    [offer, goOn],
  );
  return { end, page, take, lose, receive, offered: offer?.session ?? null, decide };
}
