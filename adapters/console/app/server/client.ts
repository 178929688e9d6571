/** The server as the page calls it: through its client, with the cookie of the session. */
import { createClient, StepwellError } from "../../../../src/client/index.ts";
import { mount } from "../routing/location.ts";

/** No other origin can send this header without asking first, so the cookie counts only with it. */
export const CONSOLE_HEADERS = { "stepwell-console": "1" } as const;

const endings = new Set<() => void>();

/** @param listener Called when the server no longer knows the session. */
export function onSessionEnd(listener: () => void): () => void {
  endings.add(listener);
  return () => endings.delete(listener);
}

const responses = new Set<() => void>();

/** @param listener Called when the server has responded. */
export function onResponse(listener: () => void): () => void {
  responses.add(listener);
  return () => responses.delete(listener);
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, credentials: "same-origin" });
  if (response.status < 500) for (const listener of responses) listener();
  if (response.status === 401) for (const listener of endings) listener();
  return response;
}

const OPTIONS = { url: mount === "" ? "/" : mount, headers: CONSOLE_HEADERS, fetch: send } as const;

export const client = createClient({ ...OPTIONS, retries: 2 });

/** For streams that the page connects again itself, because it shows whether they are connected. */
export const streamClient = createClient({ ...OPTIONS, retries: 0 });

export type ConsoleClient = typeof client;

/** Whether an error is one of the server's, with a code. */
export const isServerError = (error: unknown): error is StepwellError => error instanceof StepwellError;
