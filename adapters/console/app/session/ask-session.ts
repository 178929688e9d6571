/** Asks who is signed in, until the server says so. */
import { checkConnection, pauseAfter, untilBack } from "../server/connection.ts";
import { type SessionAnswer, SessionRefused } from "./session.ts";

/**
 * Only a response says that nobody is signed in. Without one, this asks again when the server can be reached.
 * @param onFailure Called each time that the server has not said it, with the reason.
 * @param signal Aborts when nobody needs the answer any more.
 * @throws SessionRefused if the server refuses the question itself
 */
export async function askSession(
  ask: () => Promise<SessionAnswer>,
  onFailure: (error: unknown) => void,
  signal: AbortSignal,
): Promise<SessionAnswer> {
  for (let failures = 1; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof SessionRefused || signal.aborted) throw error;
      onFailure(error);
    }
    // Something before the server may respond in its place, with what is no session.
    if (await checkConnection()) await new Promise((resolve) => setTimeout(resolve, pauseAfter(failures)));
    else await untilBack(signal);
  }
}
