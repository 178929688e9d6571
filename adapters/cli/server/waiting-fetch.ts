/** Says what is waited for when a server is silent. */

/** Milliseconds without a response after which a person wants to know why nothing happens. */
const SILENT_MS = 3_000;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Sends requests as `send` does. The notice is shown once for requests that get no response, and once for lost connections,
 * until there is a response again. Long polls are expected to take long.
 * @param onNotice Receives a line for the person.
 */
export function waitingFetch(onNotice: (text: string) => void, send: Fetch = fetch, silentMs = SILENT_MS): Fetch {
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
      if (init.signal?.aborted !== true) show(`No connection to ${origin}. Trying again …`);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
