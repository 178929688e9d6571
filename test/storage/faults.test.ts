/** A driver that fails in any one call: the store rejects in time, loses nothing and shows no partial commit. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { isStepwellError } from "../../src/errors.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Change, Store } from "../../src/ports/store.ts";
import { callsToFail } from "../support/storage/calls-to-fail.ts";
import { FAULTS, type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { openStore } from "../support/storage/open.ts";
import { until } from "../support/until.ts";

/** Small enough that the sequence passes several checkpoints, and reads go to the driver. */
const OPTIONS = { checkpointRecords: 2, cacheSize: 1, timeoutMs: 2 };

/** Log records as separate items, and appended to a segment, with frequent and rare checkpoints. */
const LOG_KINDS = [
  { appends: false, checkpointRecords: 2 },
  { appends: true, checkpointRecords: 2 },
  { appends: true, checkpointRecords: 5 },
] as const;
type LogKind = (typeof LOG_KINDS)[number];

const put = (id: string, n: number, expected: number | null): Change => ({
  key: `thing:${id}`,
  document: { n },
  expected,
  rows: [{ list: "things", put: { id } }],
});
const deletion = (id: string, expected: number): Change => ({
  key: `thing:${id}`,
  document: null,
  expected,
  rows: [{ list: "things", delete: id }],
});

/** Commits that create, replace and remove documents, one or several at once. */
const SEQUENCE: readonly (readonly Change[])[] = [
  [put("a", 1, null)],
  [put("b", 1, null), put("c", 1, null)],
  [put("a", 2, 1)],
  [deletion("b", 1)],
  [put("d", 1, null), deletion("c", 1)],
  [put("b", 3, null)],
  [deletion("a", 2)],
  [put("e", 1, null), put("d", 2, 1)],
];
const IDS = ["a", "b", "c", "d", "e"] as const;

/** What a store returns after a number of commits. */
type View = Readonly<Record<string, unknown>>;

function viewAfter(commits: number): View {
  const things = new Map<string, unknown>();
  for (const { key, document, expected } of SEQUENCE.slice(0, commits).flat()) {
    if (document === null) things.delete(key);
    else things.set(key, { version: (expected ?? 0) + 1, document });
  }
  const present = IDS.filter((id) => things.has(`thing:${id}`));
  return { ids: present.toReversed(), things: IDS.map((id) => things.get(`thing:${id}`) ?? null) };
}

async function view(store: Store): Promise<View> {
  const { ids } = await store.list("things", { limit: 10 });
  return { ids, things: await Promise.all(IDS.map((id) => store.get(`thing:${id}`))) };
}

/** Thousands of views are right, and an expectation is slow: it is used only to report a difference. */
function expectView(seen: View, commits: number): void {
  if (!isDeepStrictEqual(seen, viewAfter(commits))) expect(seen).toEqual(viewAfter(commits));
}

/** Repeats a call until it succeeds; every error must be `unavailable`. */
async function retryUntilSuccess<T>(act: () => Promise<T>, onRefusal: () => void): Promise<T> {
  for (let tries = 0; ; tries++) {
    const answer = await act().catch((error: unknown) => {
      expect(isStepwellError(error, "unavailable"), String(error)).toBe(true);
      return null;
    });
    if (answer !== null) return answer;
    expect(tries).toBeLessThan(50);
    onRefusal();
  }
}

/** Runs the sequence in one process, retrying what is rejected; returns the number of driver calls. */
async function runSequence(fault: Fault, at: number, { appends, checkpointRecords }: LogKind): Promise<number> {
  const data = new Map<string, string>();
  const faulty = faultyDriver(data, fault, at, appends);
  const store = openStore(faulty.driver, { ...OPTIONS, checkpointRecords });
  const checkView = async (commits: number) =>
    expectView(await retryUntilSuccess(() => view(store), faulty.release), commits);
  await checkView(0);
  for (const [index, changes] of SEQUENCE.entries()) {
    await retryUntilSuccess(() => store.commit(changes).then(() => true), faulty.release);
    await checkView(index + 1);
  }
  await store.close();
  const next = openStore(faultyDriver(data, "rejects", 0).driver, OPTIONS);
  expectView(await view(next), SEQUENCE.length);
  await next.close();
  return faulty.calls;
}

/**
 * Runs the sequence until the process dies. The next one must find all acknowledged commits, and at most one more. Returns
 * the number of driver calls.
 */
async function runUntilCrash(fault: Fault, at: number, { appends, checkpointRecords }: LogKind): Promise<number> {
  const data = new Map<string, string>();
  const faulty = faultyDriver(data, fault, at, appends);
  const store = openStore(faulty.driver, { ...OPTIONS, checkpointRecords, timeoutMs: 60_000 });
  let acknowledged = 0;
  const run = async () => {
    for (const changes of SEQUENCE) {
      await store.commit(changes);
      acknowledged++;
      await view(store);
    }
    await store.close();
  };
  await Promise.race([run(), faulty.death]);
  // What a dead process still does in its own memory does not count.
  const atDeath = acknowledged;
  const possible = [viewAfter(atDeath), viewAfter(Math.min(atDeath + 1, SEQUENCE.length))];

  // The next process finishes the sequence, and one after it reads the result.
  const next = openStore(faultyDriver(data, "rejects", 0, appends).driver, OPTIONS);
  const found = await view(next);
  const isOneOf = possible.findIndex((one) => isDeepStrictEqual(one, found));
  if (isOneOf === -1) expect(possible).toContainEqual(found);
  const done = isOneOf + atDeath;
  for (const changes of SEQUENCE.slice(done)) await next.commit(changes);
  await next.close();
  const last = openStore(faultyDriver(data, "rejects", 0).driver, OPTIONS);
  expectView(await view(last), SEQUENCE.length);
  await last.close();
  return faulty.calls;
}

describe("a store", () => {
  it.each(FAULTS.filter((fault) => !fault.includes("dies")))(
    "loses nothing and shows no partial commit when any one driver call %s",
    async (fault) => {
      for (const log of LOG_KINDS) await failEveryCall(fault, log);
    },
  );

  async function failEveryCall(fault: Fault, log: LogKind): Promise<void> {
    const calls = await runSequence(fault, Number.POSITIVE_INFINITY, log);
    expect(calls).toBeGreaterThan(40);
    for (const at of callsToFail(calls, fault, 20)) {
      await runSequence(fault, at, log).catch((cause) => {
        throw new Error(`call ${at} of the driver ${fault}, ${JSON.stringify(log)}: ${cause.message}`, { cause });
      });
    }
  }

  it.each(["loses the response", "tears the write and rejects"] as const)(
    "removes a rejected commit when it is closed: the driver %s",
    async (fault) => {
      const data = new Map<string, string>();
      const first = openStore(faultyDriver(data, "rejects", 0).driver);
      await first.commit(SEQUENCE[0] ?? []);
      // Counts the calls of opening; the next call is the write.
      const opening = faultyDriver(new Map(data), "rejects", 0);
      await view(openStore(opening.driver));
      const store = openStore(faultyDriver(data, fault, opening.calls + 1).driver);
      await view(store);
      await expect(store.commit(SEQUENCE[1] ?? [])).rejects.toMatchObject({ code: "unavailable" });
      await store.close();
      expect(await view(openStore(faultyDriver(data, "rejects", 0).driver))).toEqual(viewAfter(1));
    },
  );

  it.each(["loses the response", "tears the write and rejects"] as const)(
    "removes a rejected append when it is closed: the driver %s",
    async (fault) => {
      const data = new Map<string, string>();
      const healthy = faultyDriver(data, "rejects", 0, true);
      await openStore(healthy.driver).commit(SEQUENCE[0] ?? []);
      // The second commit opens the segment before it is written.
      const at = healthy.calls + 2;
      data.clear();
      const store = openStore(faultyDriver(data, fault, at, true).driver);
      await store.commit(SEQUENCE[0] ?? []);
      await expect(store.commit(SEQUENCE[1] ?? [])).rejects.toMatchObject({ code: "unavailable" });
      const abandoned = new Map(data);
      await store.close();
      expect(await view(openStore(faultyDriver(data, "rejects", 0).driver))).toEqual(viewAfter(1));
      // Without the close, all of it or nothing.
      const after = await view(openStore(faultyDriver(abandoned, "rejects", 0).driver));
      expect(after).toEqual(viewAfter(fault === "loses the response" ? 2 : 1));
    },
  );

  it("rejects the commits that build on a rejected one", async () => {
    const data = new Map<string, string>();
    const { driver } = faultyDriver(data, "rejects", 0);
    const refused: ((error: Error) => void)[] = [];
    const setItem: Driver["setItem"] = (...given) =>
      refused.length === 0 ? new Promise((_, reject) => refused.push(reject)) : driver.setItem?.(...given);
    const store = openStore({ ...driver, setItem });
    const failing = [store.commit([put("a", 1, null)])];
    await until(() => refused.length === 1);
    // These expect the versions that earlier ones leave, and wait for them.
    failing.push(store.commit([put("a", 2, 1)]), store.commit([deletion("a", 2)]));
    refused[0]?.(new Error("the disk is full"));
    for (const { status, reason } of (await Promise.allSettled(failing)) as PromiseRejectedResult[]) {
      expect([status, reason?.code]).toEqual(["rejected", "unavailable"]);
    }
    expect(await view(store)).toEqual(viewAfter(0));
    await store.commit(SEQUENCE[0] ?? []);
    await store.close();
    expect(await view(openStore(faultyDriver(data, "rejects", 0).driver))).toEqual(viewAfter(1));
  });

  it("rejects commits in time, still reads, and closes when writes of the driver hang", async () => {
    const data = new Map<string, string>();
    const stuck = { at: false };
    const { driver } = faultyDriver(data, "rejects", 0);
    const setItem = driver.setItem?.bind(driver);
    const store = openStore(
      { ...driver, setItem: (...given) => (stuck.at ? new Promise(() => undefined) : setItem?.(...given)) },
      { timeoutMs: 20 },
    );
    await store.commit(SEQUENCE[0] ?? []);
    stuck.at = true;
    for (const changes of SEQUENCE.slice(1, 4)) {
      await expect(store.commit(changes)).rejects.toMatchObject({
        code: expect.stringMatching(/^(unavailable|conflict)$/),
      });
      expect(await view(store)).toEqual(viewAfter(1));
    }
    await store.close();
    const next = openStore(driver);
    expect(await view(next)).toEqual(viewAfter(1));
    await next.close();
  });
});

describe("a store whose process dies at any one driver call", () => {
  it.each(FAULTS.filter((fault) => fault.includes("dies")))(
    "keeps every acknowledged commit and shows no partial one: the process %s",
    async (fault) => {
      for (const log of LOG_KINDS) await crashAtEveryCall(fault, log);
    },
  );

  async function crashAtEveryCall(fault: Fault, log: LogKind): Promise<void> {
    const calls = await runUntilCrash(fault, Number.POSITIVE_INFINITY, log);
    expect(calls).toBeGreaterThan(40);
    for (const at of callsToFail(calls, fault, 20)) {
      await runUntilCrash(fault, at, log).catch((cause) => {
        throw new Error(`${fault} at call ${at}, ${JSON.stringify(log)}: ${cause.message}`, { cause });
      });
    }
  }
});
