/** Shared by tests of web search: a provider on loopback, and a run that searches. */
import { afterEach } from "vitest";
import type { JsonObject, Options, Step, WebSearch } from "../../../src/index.ts";
import { openServer, type Received, type Reply } from "../servers/http-server.ts";
import { quickClock } from "./quick-clock.ts";
import { openService } from "./service.ts";

type QuickClock = ReturnType<typeof quickClock>;

export const KEY = "tvly-a-key-that-nobody-may-see";
/** Closed after each test. */
export const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

export const json = (body: unknown, status = 200): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

export async function provider(answer: (received: Received, count: number) => Reply | Promise<Reply>) {
  let count = 0;
  const server = await openServer((received) => answer(received, ++count));
  closing.push(() => server.close());
  return server;
}

/** A service with short backoffs. */
export async function service(options: Options, clock = quickClock()) {
  const opened = await openService({ clock, ...options });
  closing.push(() => opened.stepwell.close());
  return opened;
}

export const search = (input: JsonObject): Step => ({
  type: "service",
  key: "found",
  service: { service: "web_search", action: "search", input },
});

export async function runSearch(webSearch: WebSearch, input: JsonObject = { query: "workflows" }, clock?: QuickClock) {
  return (await service({ webSearch }, clock)).run([search(input)]);
}
