/** Two apps with one of everything each, and a storage that counts its writes. */
import type { AnyRoute } from "../../../src/http/route.ts";
import { createStepwell, type Stepwell } from "../../../src/index.ts";
import { createTestClock } from "../../../src/testing/index.ts";
import { turnEventLoop } from "../event-loop.ts";
import { countingDriver } from "../storage/counting.ts";
import { silent } from "../storage/open.ts";
import { until } from "../until.ts";
import { checkedHandler } from "./check-answer.ts";
import { fillApp, MCP_ECHO, SERVICES, TRIGGERS } from "./fill-app.ts";
import { namesIn, type Params, pathsAfter, type RecordedCall, type Resource, resourcesOf } from "./recorded-calls.ts";
import { ADMIN_KEY, BASE } from "./transports.ts";

export interface FilledApp {
  readonly id: string;
  /** May do everything in the app. */
  readonly key: string;
  readonly calls: readonly RecordedCall[];
  readonly resources: readonly Resource[];
  /** Whether a path still leads somewhere. */
  isAlive(path: string): boolean;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export async function openTwoApps() {
  const { driver, writes } = countingDriver();
  const clock = createTestClock();
  const stepwell = createStepwell({
    ...{ baseUrl: BASE, adminKey: ADMIN_KEY, secret: "s".repeat(40), logger: silent, clock },
    ...{ services: SERVICES, triggers: TRIGGERS, storage: { entities: driver }, mcp: MCP_ECHO },
  });
  const mine = await openApp(stepwell);
  const other = await openApp(stepwell);
  await untilIdle(stepwell, mine.id);
  await untilIdle(stepwell, other.id);
  await turnEventLoop();

  const fetch = checkedHandler(stepwell.fetch, BASE);

  /** Sends a request. Its path starts below the mount path. */
  async function send(method: string, path: string, key: string | null, body?: unknown): Promise<Answer> {
    const isJson = body !== undefined && !(body instanceof Blob);
    const headers = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(isJson ? { "content-type": "application/json" } : {}),
    };
    const sent = body instanceof Blob ? body : JSON.stringify(body);
    const init = { method, headers, ...(body === undefined ? {} : { body: sent }) };
    const response = await fetch(new Request(`${BASE}${path}`, init));
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (isStream) await response.body?.cancel();
    return { status: response.status, text: isStream ? "" : await response.text(), headers: response.headers };
  }

  return {
    stepwell,
    mine,
    other,
    send,
    /** Number of writes so far, without those of checkpoints. */
    writes,
    async close() {
      const closed = stepwell.close();
      await clock.advance("1m");
      await closed;
    },
  };
}

export type TwoApps = Awaited<ReturnType<typeof openTwoApps>>;

async function openApp(stepwell: Stepwell): Promise<FilledApp> {
  const { id } = await stepwell.apps.create({ name: "Filled" });
  const { key } = await stepwell.keys.create(id, { name: "Everything" });
  const calls = await fillApp(stepwell, id);
  return { id, key, calls, resources: resourcesOf(calls), isAlive: pathsAfter(calls) };
}

/** Waits until nothing is left to do in the background before the clock moves. */
async function untilIdle(stepwell: Stepwell, app: string): Promise<void> {
  await until(async () => {
    if ((await stepwell.jobs.list(app)).items.some(({ status }) => status === "running")) return false;
    for (const { id } of (await stepwell.webhooks.list(app)).items) {
      const deliveries = (await stepwell.webhooks.deliveries(app, id, { status: "pending", take: 1_000 })).items;
      if (deliveries.some(({ attempts_count, due_at }) => attempts_count === 0 && due_at !== null)) return false;
    }
    for (const { id, triggers, config } of (await stepwell.collections.list(app)).items) {
      if (config.index_states.some(({ state }) => state !== "ready")) return false;
      for (const trigger of triggers) {
        const pending = await stepwell.triggers.deliveries(app, id, trigger.id, { status: "pending" });
        if (pending.items.length > 0) return false;
      }
    }
    return true;
  });
}

/** A request to a route with the ids of `mine`, and the ids of `other` for the same things. */
export interface Target {
  readonly own: Params;
  readonly foreign: Params;
  readonly body: unknown;
}

/** @throws Error if no call of `fillApp` has the ids of the route's path */
export function targetOf(route: AnyRoute, { mine, other }: TwoApps): Target {
  const names = namesIn(route.path);
  const call = mine.calls.findLastIndex((one) => one.route === route && mine.isAlive(one.path));
  // A body belongs to the path that it was sent to.
  const recorded = mine.calls[call];
  const index = mine.resources.findLastIndex(
    ({ path, params }) =>
      names.every((name) => params[name] !== undefined) &&
      (recorded === undefined ? mine.isAlive(path) : path === recorded.path),
  );
  const [own, foreign] = [mine.resources[index]?.params, other.resources[index]?.params];
  if (own === undefined || foreign === undefined) {
    throw new Error(`No call of fillApp has the ids of ${route.path}. Add one that creates or changes such a thing.`);
  }
  return { own, foreign, body: recorded?.body };
}

export function filled(template: string, params: Params): string {
  return template.replace(/\{(\w+)\*?\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** An id of the same form that nothing has. */
export function missingLike(id: string): string {
  const prefix = id.slice(0, id.indexOf("_") + 1);
  return prefix + [...id.slice(prefix.length)].reverse().join("");
}

/** What a caller learns from an answer, apart from the ids that it sent and those of the request. */
export function observed({ status, text, headers }: Answer, ...sent: readonly string[]) {
  const masked = (value: string) => sent.reduce((rest, id) => rest.replaceAll(id, "ID"), value);
  const rest = [...headers].filter(([name]) => name !== "x-request-id" && name !== "content-length");
  return {
    status,
    text: masked(text).replace(/"request_id":"[^"]*"/, ""),
    headers: Object.fromEntries(rest.map(([name, value]) => [name, masked(value)])),
  };
}
