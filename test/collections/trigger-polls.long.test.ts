/** Triggers that poll their source: no event is skipped or repeated. */
import * as v from "valibot";
import { afterEach, describe, expect, it } from "vitest";
import { createStepwell, defineTrigger, type JsonValue, type Options, type Stepwell } from "../../src/index.ts";
import { createTestClock } from "../../src/testing/index.ts";
import { faultyDriver } from "../support/storage/faulty.ts";
import { silent } from "../support/storage/open.ts";
import { until } from "../support/until.ts";

const opened: Stepwell[] = [];
afterEach(async () => {
  for (const stepwell of opened.splice(0)) await stepwell.close();
});

const MAPPINGS = [
  { type: "field", entity_path: "item:id", input_path: ["id"], name: "Id" },
  { type: "field", entity_path: "item:name", input_path: ["name"], name: "Name" },
];
const POLL = {
  type: "poll",
  name: "Items",
  config: { type: "poll", mappings: MAPPINGS, url: "https://items.test/new", items_path: ["items"], id_path: ["id"] },
};

/** A collection with a trigger that polls what `respond` returns. */
async function open(respond: () => Response | Promise<Response>, trigger: object = POLL, more: Partial<Options> = {}) {
  const clock = createTestClock();
  const polledUrls: string[] = [];
  const fetch = async (url: string) => {
    polledUrls.push(url);
    return respond();
  };
  const data = new Map<string, string>();
  const start = () => {
    const storage = { entities: faultyDriver(data, "rejects", 0).driver };
    const started = createStepwell({ clock, fetch, logger: silent, storage, ...more });
    opened.push(started);
    return started;
  };
  const stepwell = start();
  const app = (await stepwell.apps.create({ name: "Shop" })).id;
  const collection = (await stepwell.collections.create(app, { name: "Items" })).id;
  const { id } = await stepwell.triggers.create(app, collection, { ...POLL, ...trigger });
  await clock.advance(1);
  const names = async () => {
    const deliveries = async () => (await stepwell.triggers.deliveries(app, collection, id)).items;
    await expect.poll(async () => (await deliveries()).some(({ status }) => status === "pending")).toBe(false);
    const { items } = await stepwell.records.list(app, collection);
    return items.map(({ data }) => String(data["item"]?.["name"])).sort();
  };
  const polling = () => stepwell.triggers.polling(app, collection, id);
  return { stepwell, app, collection, id, clock, polledUrls, names, polling, start };
}

const listOf = (...ids: number[]) => Response.json({ items: ids.map((id) => ({ id, name: `n${id}` })) });

describe("a trigger of the type poll", () => {
  it("polls at once and then at its interval, and handles each item once", async () => {
    let now = [1, 2];
    const t = await open(() => listOf(...now));
    expect(await t.names()).toEqual(["n1", "n2"]);
    // The list moves on while it is read again.
    now = [3, 2];
    await t.clock.advance("299s");
    expect(t.polledUrls).toHaveLength(1);
    await t.clock.advance("2s");
    expect(t.polledUrls).toEqual(Array(2).fill("https://items.test/new"));
    expect(await t.names()).toEqual(["n1", "n2", "n3"]);
    now = [1];
    await t.clock.advance("301s");
    expect(await t.names()).toEqual(["n1", "n2", "n3"]);
    expect(await t.polling()).toMatchObject({ failures: 0, error: null, polled_at: expect.any(String) });
  });

  it("remembers an item while it is in the list, and for 30 days afterwards", async () => {
    let now = [1];
    const t = await open(() => listOf(...now), { config: { ...POLL.config, interval: 86_400 } });
    await t.clock.advance("3d");
    now = [];
    await t.clock.advance("29d");
    now = [1];
    await t.clock.advance("1d");
    expect(await t.names()).toEqual(["n1"]);
  });

  it("pauses for longer after each failure, and recovers", async () => {
    let respond = () => new Response("broken", { status: 500 });
    const t = await open(() => respond(), { config: { ...POLL.config, interval: 60 } });
    expect(await t.polling()).toMatchObject({ failures: 1, error: { code: "fetch_failed" } });
    await t.clock.advance("119s");
    expect(t.polledUrls).toHaveLength(1);
    await t.clock.advance("2s");
    expect(t.polledUrls).toHaveLength(2);
    await t.clock.advance("2d");
    expect(t.polledUrls.length).toBeLessThan(60);
    respond = () => listOf(1);
    await t.clock.advance("1h");
    expect(await t.names()).toEqual(["n1"]);
    expect(await t.polling()).toMatchObject({ failures: 0, error: null });
  });

  it.each([
    ["no JSON", () => new Response("<html>")],
    ["no list", () => Response.json({ items: 1 })],
    ["an item without an id", () => Response.json({ items: [{ id: 1 }, { name: "x" }] })],
    ["too many items", () => listOf(...Array.from({ length: 1_001 }, (_, id) => id))],
    ["items of the wrong depth", () => Response.json([])],
  ])("fails as a whole and stores nothing when the response has %s", async (_, respond) => {
    const t = await open(respond);
    expect((await t.polling()).failures).toBe(1);
    expect(await t.names()).toEqual([]);
  });

  it("stops while it is disabled, deleted or closed, and continues in the next process", async () => {
    const t = await open(() => listOf(1));
    const at = [t.app, t.collection, t.id] as const;
    await t.stepwell.triggers.update(...at, { enabled: false });
    await t.clock.advance("1d");
    expect(t.polledUrls).toHaveLength(1);
    expect((await t.polling()).next_at).toBeNull();
    await t.stepwell.triggers.update(...at, { enabled: true });
    await t.clock.advance(1);
    expect(t.polledUrls).toHaveLength(2);
    await t.stepwell.close();
    await t.clock.advance("1d");
    expect(t.polledUrls).toHaveLength(2);
    const next = t.start();
    await next.ready();
    await t.clock.advance(1);
    expect(t.polledUrls).toHaveLength(3);
    await next.triggers.remove(...at);
    await t.clock.advance("1d");
    expect(t.polledUrls).toHaveLength(3);
  });

  it("needs a URL, a path to the ids and a valid interval", async () => {
    const t = await open(() => listOf());
    const refusal = async (config: object, type = "poll") => {
      const given = { ...POLL, type, config: { ...POLL.config, type, ...config } };
      const refused = await t.stepwell.triggers.create(t.app, t.collection, given).catch((error) => error);
      return refused.errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await refusal({ url: "ftp://items.test" })).toEqual(["/config/url"]);
    expect(await refusal({ id_path: [] })).toEqual(["/config/id_path"]);
    expect(await refusal({ interval: 29 })).toEqual(["/config/interval"]);
    expect(await refusal({ unknown: 1 })).toEqual(["/config/unknown"]);
    const settings = { url: undefined, items_path: undefined, interval: 60 };
    expect(await refusal(settings, "webhook")).toEqual(["/config/interval"]);
  });

  it("accepts no events by request", async () => {
    const t = await open(() => listOf());
    const url = `http://localhost:3000/public/apps/triggers/${t.id}/events`;
    expect((await t.stepwell.fetch(new Request(url, { method: "POST", body: "{}" }))).status).toBe(404);
  });
});

describe("poll of defineTrigger", () => {
  it("gets the cursor of the last poll, polls again at once while there is more, and starts over with new settings", async () => {
    const cursors: JsonValue[] = [];
    const pages = defineTrigger({
      name: "pages",
      config: v.object({ source: v.string() }),
      poll({ cursor, config: { source } }) {
        cursors.push(cursor);
        const page = typeof cursor === "number" ? cursor : 0;
        const events = page < 3 ? [{ id: `${source}${page}`, data: { id: page, name: `${source}${page}` } }] : [];
        return { events, cursor: Math.min(page + 1, 3), more: page < 3 };
      },
    });
    const config = { type: "pages", mappings: MAPPINGS, source: "a" };
    const t = await open(() => new Response(), { type: "pages", config }, { triggers: [pages] });
    expect(await t.names()).toEqual(["a0", "a1", "a2"]);
    expect(cursors).toEqual([null, 1, 2, 3]);
    await t.clock.advance("301s");
    expect(cursors).toEqual([null, 1, 2, 3, 3]);
    const update = { config: { ...config, source: "b" } };
    await t.stepwell.triggers.update(t.app, t.collection, t.id, update);
    await t.clock.advance(1);
    expect(await t.names()).toEqual(["a0", "a1", "a2", "b0", "b1", "b2"]);
    expect(cursors.slice(5)).toEqual([null, 1, 2, 3]);
  });

  it("is called once a second while it finds nothing but announces more", async () => {
    let calls = 0;
    const empty = defineTrigger({
      name: "empty",
      config: v.object({}),
      poll: () => ({ events: [], cursor: ++calls, more: true }),
    });
    const config = { type: "empty", mappings: MAPPINGS };
    const t = await open(() => new Response(), { type: "empty", config }, { triggers: [empty] });
    await t.clock.advance("500ms");
    expect(calls).toBe(1);
    await t.clock.advance("2s");
    expect(calls).toBe(3);
  });

  it("is never called twice at the same time, and times out after 60 seconds", async () => {
    let active = 0;
    let most = 0;
    const signals: AbortSignal[] = [];
    const slow = defineTrigger({
      name: "slow",
      config: v.object({}),
      async poll({ signal }) {
        signals.push(signal);
        most = Math.max(most, ++active);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        active--;
        return { events: [{ id: "late", data: { name: "late" } }] };
      },
    });
    const config = { type: "slow", mappings: MAPPINGS, interval: 30 };
    const t = await open(() => new Response(), { type: "slow", config }, { triggers: [slow] });
    await t.stepwell.triggers.update(t.app, t.collection, t.id, { config: { ...config, interval: 31 } });
    await t.clock.advance("59s");
    expect(signals).toHaveLength(1);
    await t.clock.advance("5m");
    expect(signals.length).toBeGreaterThan(1);
    expect(signals[0]?.aborted).toBe(true);
    expect(most).toBe(1);
    expect(await t.names()).toEqual([]);
  });

  it("does not wait for the sources of another app that hang, at their first poll and later", async () => {
    const hangs = defineTrigger({
      name: "hangs",
      config: v.object({}),
      poll: ({ signal }) =>
        new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    let polls = 0;
    const works = defineTrigger({
      name: "works",
      config: v.object({}),
      poll() {
        polls++;
        return { events: [] };
      },
    });
    const configOf = (type: string) => ({ type, name: type, config: { type, mappings: MAPPINGS, interval: 30 } });
    const t = await open(() => new Response(), configOf("hangs"), { triggers: [hangs, works] });
    for (let n = 0; n < 100; n++) await t.stepwell.triggers.create(t.app, t.collection, configOf("hangs"));
    const { id: other } = await t.stepwell.apps.create({ name: "Other" });
    const { id: collection } = await t.stepwell.collections.create(other, { name: "Items" });
    for (let count = 0; count < 3; count++) {
      await t.clock.advance("5m");
      const before = polls;
      const { id } = await t.stepwell.triggers.create(other, collection, configOf("works"));
      // No poll of the first app ends meanwhile: the clock stands still.
      await until(async () => {
        await t.clock.advance(0);
        return polls > before;
      });
      await t.stepwell.triggers.update(other, collection, id, { enabled: false });
    }
    expect(polls).toBe(3);
  });
});
