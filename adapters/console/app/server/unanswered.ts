/**
 * Requests that the server may have done, although no response says so, such as one whose response was lost. Somebody who
 * sends the same again sends it with the same idempotency key: the server does it once. That of a run survives a reload, as
 * its form does. Others do not: they may contain secrets, which the browser must not keep.
 */
const PLACE = "stepwell-unanswered";

/** Later ones replace the first ones. */
const MOST = 20;

/** Characters of the requests that survive a reload, of the five million that a browser keeps of a page. */
const MOST_CHARS = 500_000;

const OF_RUN = /^POST \S+\/runs /;

/** Idempotency keys by method, URL and body. */
let keys = new Map(keptKeys());

/** Gives a request the key of the one before that was the same and is not answered yet. */
export async function withOwnKey(
  url: string,
  init: RequestInit,
  send: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Response> {
  const headers = new Headers(init.headers);
  const given = headers.get("idempotency-key");
  if (given === null || typeof init.body !== "string") return send(url, init);
  const request = `${init.method} ${url} ${init.body}`;
  const key = keys.get(request) ?? given;
  headers.set("idempotency-key", key);
  keep([...keys].filter(([other]) => other !== request).concat([[request, key]]));
  const response = await send(url, { ...init, headers });
  // A refusal says nothing of the first one: what has been done is answered with success.
  if (response.ok) keep([...keys].filter(([other]) => other !== request));
  return response;
}

/** When somebody else may use the page. */
export const forgetUnanswered = (): void => keep([]);

function keep(entries: readonly (readonly [string, string])[]): void {
  keys = new Map(entries.slice(-MOST));
  const ofRuns = [...keys].filter(([request]) => OF_RUN.test(request));
  const text = JSON.stringify(ofRuns);
  try {
    if (ofRuns.length === 0 || text.length > MOST_CHARS) sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, text);
  } catch {
    // Without storage, they hold until the page is left.
  }
}

function keptKeys(): [string, string][] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(one: unknown): one is [string, string] {
  return Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === "string");
}
