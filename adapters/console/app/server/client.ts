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

async function send(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, credentials: "same-origin" });
  if (response.status === 401) for (const listener of endings) listener();
  return response;
}

export const client = createClient({
  url: mount === "" ? "/" : mount,
  headers: CONSOLE_HEADERS,
  fetch: send,
  retries: 2,
});

export type ConsoleClient = typeof client;

/** Whether an error is one of the server's, with a code. */
export const isServerError = (error: unknown): error is StepwellError => error instanceof StepwellError;
