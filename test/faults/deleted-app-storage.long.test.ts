/** Deleting an app deletes everything that it has stored, whatever interrupts it. */

import { describe, expect, it } from "vitest";
import memoryDriver from "../../adapters/storage/memory.ts";
import { allRoutes } from "../../src/api/route-table.ts";
import { refuseCreations } from "../../src/apps/refuse-creations.ts";
import { createStepwell, type Options, type Step, type Stepwell } from "../../src/index.ts";
import { createTestClock, type TestClock } from "../../src/testing/index.ts";
import { closeInTestTime } from "../support/close-in-test-time.ts";
import { createBrowser, smallConsole } from "../support/console/small-console.ts";
import { createGate } from "../support/gate.ts";
import { fillApp, MCP_ECHO, SERVICES, TRIGGERS } from "../support/http/fill-app.ts";
import { paramsIn } from "../support/http/recorded-calls.ts";
import { ADMIN_KEY, BASE } from "../support/http/transports.ts";
import { openStore, silent } from "../support/storage/open.ts";
import { withDocuments } from "../support/storage/stored-documents.ts";
import { until } from "../support/until.ts";

/** Items of the storage itself, and documents that belong to no app. */
const STORAGE_ITEMS = /^(documents|log|list|manifest|owner):/;
const WITHOUT_APP = ["secret:file-links", "runs:culprit-search", "health:probe"];
/** The last thing that a purge writes: the deletion of its own document. */
const PURGED = /\["deleted-app:(app_\w+)",null/g;
const ID = /\b[a-z]+_[0-9a-z]{26,40}\b/g;

const purgedIn = (value: string): string[] => [...value.matchAll(PURGED)].map(([, app = ""]) => app);

/** Records every id and key that is ever written. */
function recordingDriver(data: Map<string, string>, onRead: (key: string) => Promise<void>) {
  const seen = new Set<string>();
  /** Apps whose purge has ended. The log, which says so, is emptied by checkpoints. */
  const purged = new Set([...data.values()].flatMap(purgedIn));
  /** What a crash after each write would have left, once the test asks for it. */
  const crashes: Map<string, string>[] = [];
  const recording = { isOn: false };
  const driver = {
    name: "recording",
    hasItem: (key: string) => data.has(key),
    async getItem(key: string) {
      await onRead(key);
      return data.get(key) ?? null;
    },
    setItem(key: string, value: string) {
      data.set(key, value);
      if (recording.isOn) crashes.push(new Map(data));
      for (const [id] of value.matchAll(ID)) seen.add(id);
      for (const app of purgedIn(value)) purged.add(app);
      if (!STORAGE_ITEMS.test(key) && !WITHOUT_APP.includes(key)) seen.add(key.slice(key.indexOf(":") + 1));
    },
    removeItem: (key: string) => void data.delete(key),
    getKeys: () => [...data.keys()].filter((key) => key !== "generation"),
    async takeOwnership() {
      const generation = Number(data.get("generation") ?? 0) + 1;
      data.set("generation", String(generation));
      return { generation, verify: () => undefined };
    },
  };
  return { driver, seen, purged, crashes, recording };
}

function open(data: Map<string, string>, clock: TestClock, onRead: (key: string) => Promise<void> = async () => {}) {
  const { driver, ...recorded } = recordingDriver(data, onRead);
  const options: Options = {
    ...{ baseUrl: BASE, adminKey: ADMIN_KEY, secret: "s".repeat(40), logger: silent, clock },
    ...{ services: SERVICES, triggers: TRIGGERS, mcp: MCP_ECHO, console: smallConsole() },
    storage: { entities: driver },
  };
  const stepwell = createStepwell(options);
  return { stepwell, ...recorded, close: () => closeInTestTime(stepwell, clock) };
}

/** A storage with an app that stays, and one with everything. */
async function filled() {
  const data = new Map<string, string>();
  const clock = createTestClock();
  const service = open(data, clock);
  const { stepwell } = service;
  const other = (await stepwell.apps.create({ name: "Stays" })).id;
  const file = await stepwell.files.create(other, { name: "a.txt", body: new Uint8Array(3) });
  await stepwell.files.createLink(other, file.id);
  await service.close();
  const { seen: kept } = service;
  const next = open(data, clock);
  const { id: app } = await next.stepwell.apps.create({ name: "Gone" });
  let isFilled = false;
  const filling = fillApp(next.stepwell, app).finally(() => {
    isFilled = true;
  });
  // What is repeated after a conflict waits for the clock.
  await Promise.all([
    filling,
    until(async () => {
      await clock.advance("100ms");
      return isFilled;
    }),
  ]);
  const calls = await filling;
  await signIn(next.stepwell, app);
  const isCalled = (method: string, path: string) =>
    calls.some((call) => call.method === method && paramsIn(path, call.path) !== null);
  return { ...next, data, clock, app, kept, isCalled };
}

/** Opens a session of the console with a key of the app. */
async function signIn(stepwell: Stepwell, app: string): Promise<void> {
  const { key } = await stepwell.keys.create(app, { name: "Console" });
  const { status } = await createBrowser(stepwell.fetch).send("POST", "/console/session", { key });
  expect(status).toBe(200);
}

/** The items that mention one of these ids, as `KIND ID`. */
function mentions(data: ReadonlyMap<string, string>, ids: readonly string[]): string[] {
  return [...withDocuments(data)].flatMap(([key, value]) => {
    if (isEmptyList(key, value)) return [];
    const found = ids.filter((id) => key.includes(id) || value.includes(id));
    return found.length === 0 ? [] : [`${key} ${found[0]}`];
  });
}

/** The name of a list stays until the checkpoint after the one that stored it empty. */
function isEmptyList(key: string, value: string): boolean {
  return key.startsWith("list:stored-lists:") || (key.startsWith("list:") && value.includes('"leaves":[]'));
}

/** Found by the list of what expires, and deleted a day after they were stored. */
const isReceipt = (item: string) => /^(idempotency|hook-request|console_session):|^list:expiring:/.test(item);

async function untilPurged(purged: ReadonlySet<string>, clock: TestClock, ...apps: readonly string[]): Promise<void> {
  await until(async () => {
    await clock.advance("1s");
    return apps.every((app) => purged.has(app));
  });
}

describe("deleting an app", () => {
  it("leaves nothing of it in the storage", async () => {
    const { stepwell, seen, purged, kept, isCalled, data, clock, app, close } = await filled();
    const routes = allRoutes.filter(
      ({ method, path }) => !["GET", "DELETE"].includes(method) && !["/apps", "/console/session"].includes(path),
    );
    expect(routes.filter(({ method, path }) => !isCalled(method, path)).map(({ path }) => path)).toEqual([]);
    await clock.advance("3m");
    await stepwell.apps.remove(app);
    await untilPurged(purged, clock, app);
    await close();
    const ids = [...seen].filter((id) => !kept.has(id));
    expect(ids).toContain(app);
    expect(ids.length).toBeGreaterThan(80);
    expect(mentions(data, ids).filter((item) => !isReceipt(item))).toEqual([]);

    const next = open(data, clock);
    await next.stepwell.ready();
    await clock.advance("25h");
    await next.close();
    expect(mentions(data, ids)).toEqual([]);
    // The names of its lists are gone, too.
    const whole = [...data].filter(([key, value]) => ids.some((id) => key.includes(id) || value.includes(id)));
    expect(whole).toEqual([]);
  });

  it("leaves nothing of it when the process is killed at any point of the purge", async () => {
    const { stepwell, seen, purged, crashes, recording, kept, clock, app, close } = await filled();
    recording.isOn = true;
    await stepwell.apps.remove(app);
    const first = crashes.length - 1;
    await untilPurged(purged, clock, app);
    await close();
    const ids = [...seen].filter((id) => !kept.has(id));
    const distance = Math.ceil((crashes.length - first) / 6);
    for (let at = first; at < crashes.length; at += distance) {
      const left = crashes[at] ?? new Map<string, string>();
      const next = open(left, clock);
      await next.stepwell.ready();
      await untilPurged(next.purged, clock, app);
      await next.close();
      expect(mentions(left, ids).filter((item) => !isReceipt(item))).toEqual([]);
    }
  });
});

it("refuses what a call that began before the deletion of its app would create after it", async () => {
  const store = refuseCreations(openStore(memoryDriver()), new Set(["app_1"]));
  const tag = (app_id: string) => ({ key: `tag:${app_id}` as const, document: { app_id } });
  await store.commit([tag("app_2")]);
  await expect(store.commit([tag("app_2"), tag("app_1")])).rejects.toMatchObject({ code: "not_found" });
  expect(await store.get("tag:app_1")).toBeNull();
  expect(await store.get("tag:app_2")).toMatchObject({ version: 1 });
  await store.close();
});

describe("deleting many apps", () => {
  const steps: Step[] = [
    { type: "input", key: "start", input: {}, destinations: ["ask"] },
    { type: "input", key: "ask", input: { ok: { type: "boolean" } } },
  ];

  async function openService(count: number) {
    const data = new Map<string, string>();
    const clock = createTestClock();
    const service = open(data, clock);
    const apps: string[] = [];
    for (let index = 0; index < count; index++) {
      const { id } = await service.stepwell.apps.create({ name: "Gone" });
      const workflow = await service.stepwell.workflows.create(id, { name: "Asks", steps });
      await service.stepwell.workflows.deploy(id, workflow.id);
      await service.stepwell.runs.create(id, workflow.id);
      apps.push(id);
    }
    return { ...service, data, clock, apps };
  }

  it("purges all of them after a restart, without another hour", async () => {
    const { stepwell, data, clock, apps, close } = await openService(130);
    await Promise.all([...apps.map((app) => stepwell.apps.remove(app)), close()]);
    const next = open(data, clock);
    const begun = clock.now();
    await untilPurged(next.purged, clock, ...apps);
    expect(clock.now() - begun).toBeLessThan(3_600_000);
    await next.close();
    expect(mentions(data, apps)).toEqual([]);
  });

  it("purges the others while the purge of one hangs and that of another fails", async () => {
    const { data, clock, apps, close } = await openService(8);
    await close();
    const [hanging = "", failing = "", ...others] = apps;
    const { release, released } = createGate();
    const service = open(data, clock, async (key) => {
      if (key.startsWith(`list:keys.${hanging}:`)) await released;
      if (key.startsWith(`list:keys.${failing}:`)) throw new Error("damaged");
    });
    await Promise.all(apps.map((app) => service.stepwell.apps.remove(app)));
    await until(() => others.every((app) => service.purged.has(app)));
    expect([...service.purged]).not.toContain(hanging);
    expect([...service.purged]).not.toContain(failing);
    release();
    await service.close();
  });
});
