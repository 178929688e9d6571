/** What following an app costs its commits, and those of other apps. */
import { describe, expect, it } from "vitest";
import type { AppChange } from "../../src/app-stream/app-change.ts";
import { createChangeFeed } from "../../src/app-stream/change-feed.ts";
import { createChangeStore } from "../../src/app-stream/change-store.ts";
import { createPendingChanges, MAX_PENDING } from "../../src/app-stream/pending-changes.ts";
import { StepwellError } from "../../src/index.ts";
import type { Key, Store } from "../../src/ports/store.ts";
import { createMemoryData, createMemoryStore } from "../../src/storage/memory-store.ts";
import { createTestClock } from "../../src/testing/index.ts";

const APP = `app_${"a".repeat(26)}`;
const OTHER = `app_${"b".repeat(26)}`;
const KEY: Key = "tag:tag_1";

const put = (app: string, expected?: number) => ({ key: KEY, document: { id: "tag_1", app_id: app }, expected });
const remove = (app: string, expected: number) => ({
  ...{ key: KEY, document: null, expected },
  rows: [{ list: `tags.${app}`, delete: "tag_1" }],
});

/** @param fails Whether reads fail. */
async function open(followed: string | null, fails = false) {
  const clock = createTestClock();
  const memory = createMemoryStore({ clock, data: createMemoryData() });
  const reads: Key[] = [];
  const getMany: Store["getMany"] = async (keys) => {
    reads.push(...keys);
    if (fails) throw new StepwellError("unavailable", "The test has stopped the storage.");
    return memory.getMany(keys);
  };
  const feed = createChangeFeed({ clock, others: () => undefined });
  const store = createChangeStore({ store: { ...memory, getMany }, clock, feed });
  const seen: AppChange[] = [];
  const stopped = new AbortController();
  const reading = (async () => {
    if (followed !== null) for await (const change of feed.follow(followed, stopped.signal)) seen.push(change);
  })();
  const stop = async () => {
    stopped.abort();
    await reading;
  };
  const types = async () => {
    await clock.advance("100ms");
    return seen.map(({ type }) => type);
  };
  return { store, feed, reads, types, stop };
}

describe("a commit", () => {
  it("reads nothing while nobody follows any app", async () => {
    const { store, feed, reads } = await open(null);
    expect(feed.isIdle).toBe(true);
    await store.commit([put(APP)]);
    await store.commit([put(APP, 1)]);
    await store.commit([remove(APP, 2)]);
    expect(reads).toEqual([]);
  });

  it("reads nothing while somebody follows another app", async () => {
    const { store, reads, types, stop } = await open(OTHER);
    await store.commit([put(APP)]);
    await store.commit([put(APP, 1)]);
    await store.commit([remove(APP, 2)]);
    expect([reads, await types()]).toEqual([[], ["stream.opened"]]);
    await stop();
  });

  it("reads what it changes in a followed app, but not what it creates", async () => {
    const { store, reads, types, stop } = await open(APP);
    await store.commit([put(APP)]);
    expect(reads).toEqual([]);
    await types();
    await store.commit([put(APP, 1)]);
    await types();
    await store.commit([remove(APP, 2)]);
    expect(reads).toEqual([KEY, KEY]);
    expect(await types()).toEqual(["stream.opened", "tag.created", "tag.changed", "tag.removed"]);
    await stop();
  });

  it("tells nothing if it fails", async () => {
    const { store, types, stop } = await open(APP);
    await expect(store.commit([put(APP, 3)])).rejects.toMatchObject({ code: "conflict" });
    expect(await types()).toEqual(["stream.opened"]);
    await stop();
  });

  it("is stored even if the document before it cannot be read, and followers read again", async () => {
    const { store, types, stop } = await open(APP, true);
    await store.commit([put(APP)]);
    await store.commit([put(APP, 1)]);
    expect(await types()).toEqual(["stream.opened", "stream.reset"]);
    await stop();
  });

  it("costs nothing any more when the last follower has gone", async () => {
    const { feed, stop } = await open(APP);
    expect(feed.isIdle).toBe(false);
    await stop();
    expect(feed.isIdle).toBe(true);
  });
});

describe("changes that wait", () => {
  const change = (n: number, type: "tag.created" | "tag.changed" | "tag.removed" = "tag.changed") => ({
    change: { type, id: `tag_${n}`, at: "2030-01-01T00:00:00.000Z" },
    version: 1,
  });

  it("are the last ones of each resource, in the order of the first ones", () => {
    const pending = createPendingChanges();
    for (const noted of [change(1, "tag.created"), change(2), change(1), change(2, "tag.removed")]) pending.add(noted);
    expect(pending.take()).toMatchObject([
      { change: { id: "tag_1", type: "tag.created" } },
      { change: { id: "tag_2", type: "tag.removed" } },
    ]);
    expect(pending.shift()).toBeUndefined();
  });

  it("are dropped beyond a limit, which the next one says", () => {
    const pending = createPendingChanges();
    for (let n = 0; n <= MAX_PENDING; n++) pending.add(change(n));
    pending.add(change(1));
    expect(pending.take()).toMatchObject([{ change: { type: "stream.reset" } }, { change: { id: "tag_1" } }]);
  });
});
