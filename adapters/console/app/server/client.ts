/** The server as the page calls it: through its client, with the cookie of the session. */
import { createClient, StepwellError } from "../../../../src/client/index.ts";
import { mount } from "../routing/location.ts";
import { noteDate } from "./clock.ts";
import { checkConnection, lostSince, markReached } from "./connection.ts";
import { withOwnKey } from "./unanswered.ts";

/** No other origin can send this header without asking first, so the cookie counts only with it. */
export const CONSOLE_HEADERS = { "stepwell-console": "1" } as const;

/** Whose session sends a request. */
export interface Sender {
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Called if the server no longer knows the session. Resolves when somebody has signed in again: to whether the request is
   * sent again.
   */
  readonly untilSignedIn: (isRead: boolean) => Promise<boolean>;
}

const NOBODY = (): Sender => ({ headers: {}, untilSignedIn: () => Promise.resolve(false) });
let senderNow = NOBODY;

/** @param sender Called before each call: by its response, another session may have begun. */
export function setSender(sender: () => Sender): () => void {
  senderNow = sender;
  return () => {
    senderNow = NOBODY;
  };
}

/** Headers of a call, with all its repeats: by then, somebody else may have the session, who must not send what was typed before. */
export const ownHeaders = (): Readonly<Record<string, string>> => ({ ...CONSOLE_HEADERS, ...senderNow().headers });

const send = (url: string, init: RequestInit): Promise<Response> => withOwnKey(url, init, sendInSession);

async function sendInSession(url: string, init: RequestInit): Promise<Response> {
  const { untilSignedIn } = senderNow();
  const response = await sendOnce(url, init);
  if (response.status !== 401 || !(await untilSignedIn(isRead(init)))) return response;
  await response.body?.cancel();
  return sendOnce(url, isRead(init) ? withHeaders(init, senderNow().headers) : init);
}

/** What was read is read again by who has the session now. */
function withHeaders(init: RequestInit, more: Readonly<Record<string, string>>): RequestInit {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  return { ...init, headers };
}

const isRead = ({ method }: RequestInit) => method === undefined || method === "GET";

async function sendOnce(url: string, init: RequestInit): Promise<Response> {
  // Somebody waits for what changes something: the server is asked now.
  if (lostSince() !== null && (isRead(init) || !(await checkConnection())))
    throw new Error("The server cannot be reached.");
  const response = await fetch(url, { ...init, credentials: "same-origin" }).catch((error: unknown) => {
    if (init.signal?.aborted !== true) void checkConnection();
    throw error;
  });
  noteDate(response);
  if (response.status < 500) markReached();
  else void checkConnection();
  // Not that of a proxy.
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json") === true;
  if (init.method !== "DELETE" || response.status !== 404 || !isProblem) return response;
  // It is gone: somebody else was faster, or the browser has repeated a request whose response was lost.
  await response.body?.cancel();
  return new Response(null, { status: 204 });
}

/** Reads what an address says to programs that have only the address, such as that of an upload. @param path Of this origin. */
export const readAddress = (path: string, signal: AbortSignal): Promise<Response> =>
  sendOnce(path, { headers: { accept: "application/json" }, signal });

const OPTIONS = { url: mount === "" ? "/" : mount, headers: ownHeaders, fetch: send } as const;

export const client = createClient({ ...OPTIONS, retries: 2 });

/** For streams that the page connects again itself, because it shows whether they are connected. */
export const streamClient = createClient({ ...OPTIONS, retries: 0 });

/** Whether an error is one of the server's, with a code. */
export const isServerError = (error: unknown): error is StepwellError => error instanceof StepwellError;
