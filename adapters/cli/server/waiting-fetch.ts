/** Says what is waited for when a server is silent. */

/** Milliseconds without a response after which a person wants to know why nothing happens. */
const SILENT_MS = 3_000;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Settings {
  /** Receives a line for the person. */
  readonly onNotice: (text: string) => void;
  /** Whether lost connections are a reason for a notice: the client repeats requests for long. */
  readonly isPatient: boolean;
  readonly send?: Fetch;
  readonly silentMs?: number;
}

/**
 * Sends requests as `send` does. A notice is shown once, until there is a response again. Long polls are expected to take
 * long.
 */
export function waitingFetch({ onNotice, isPatient, send = fetch, silentMs = SILENT_MS }: Settings): Fetch {
  let isShown = false;
  const show = (text: string) => {
    if (!isShown) onNotice(text);
    isShown = true;
  };
  return async (url, init) => {
    const { origin } = new URL(url);
    const isLongPoll = /\bwait=[1-9]/.test(new Headers(init.headers).get("prefer") ?? "");
    const notice = `Waiting for ${origin} to respond, for at most a minute, then trying again …`;
    const timer = isLongPoll ? undefined : setTimeout(() => show(notice), silentMs);
    try {
      const response = await send(url, init);
      isShown = false;
      return response;
    } catch (error) {
      if (isPatient && init.signal?.aborted !== true) show(`No connection to ${origin}. Trying again …`);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
