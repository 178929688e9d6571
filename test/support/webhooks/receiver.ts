/** A receiver of webhooks in memory: it answers as a test says, and remembers what it got. */
import { createHmac } from "node:crypto";
import type { GuardedFetch, GuardedRequest, StepwellEvent } from "../../../src/index.ts";

export interface Received {
  readonly url: string;
  readonly event: StepwellEvent;
  readonly headers: Headers;
  readonly body: string;
}

/** How to answer: a status, a response, or a promise of one. */
export type Answer = (received: Received) => number | Response | Promise<number | Response>;

export function createReceiver(answer: Answer = () => 204) {
  const received: Received[] = [];
  /** What was answered with a status of success. */
  const accepted: Received[] = [];
  let current = answer;

  const fetch: GuardedFetch = async (url, request: GuardedRequest = {}) => {
    const body = new TextDecoder().decode(request.body as Uint8Array);
    const one = { url, event: JSON.parse(body), headers: new Headers(request.headers), body };
    received.push(one);
    const given = await Promise.race([Promise.resolve(current(one)), aborted(request.signal)]);
    const response = typeof given === "number" ? new Response(null, { status: given }) : given;
    if (response.ok) accepted.push(one);
    return response;
  };
  return {
    fetch,
    received,
    accepted,
    answer(next: Answer): void {
      current = next;
    },
  };
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** What a receiver compares: https://www.standardwebhooks.com */
export function signatureOf(secret: string, { headers, body }: Pick<Received, "headers" | "body">): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const content = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.${body}`;
  return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
}
