/** A driver that fails at any one of its calls: the store says so in time, loses nothing and shows nothing half-made. */

import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { isStepwellError } from "../../src/errors.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Change, Store } from "../../src/ports/store.ts";
import { FAULTS, type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { openStore } from "../support/storage/open.ts";
import { until } from "../support/until.ts";

/** Small enough that the sequence goes through several checkpoints, and reads come from the driver. */
const OPTIONS = { checkpointRecords: 2, cacheSize: 1, timeout: 2 };

/** Each record of the log by itself; records that are appended to others, with a checkpoint seldom and often. */
const LOGS = [
  { appends: false, checkpointRecords: 2 },
  { appends: true, checkpointRecords: 2 },
  { appends: true, checkpointRecords: 5 },
] as const;
type Logged = (typeof LOGS)[number];

const put = (id: string, n: number, expected: number | null): Change => ({
  key: `thing:${id}`,
  document: { n },
  expected,
  rows: [{ list: "things", put: { id } }],
});
const take = (id: string, expected: number): Change => ({
  key: `thing:${id}`,
  document: null,
  expected,
  rows: [{ list: "things", take: id }],
});

/** Creates, replaces and removes, alone and together; each commit also counts in a document of its own. */
const SEQUENCE: readonly (readonly Change[])[] = [
  [put("a", 1, null)],
  [put("b", 1, null), put("c", 1, null)],
  [put("a", 2, 1)],
  [take("b", 1)],
  [put("d", 1, null), take("c", 1)],
  [put("b", 3, null)],
  [take("a", 2)],
  [put("e", 1, null), put("d", 2, 1)],
];
const IDS = ["a", "b", "c", "d", "e"] as const;

/** What a store shows after so many commits. */
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

/** Thousands of views are as they should be: only another one is worth what an expectation takes. */
function hasSeen(seen: View, commits: number): void {
  if (!isDeepStrictEqual(seen, viewAfter(commits))) expect(seen).toEqual(viewAfter(commits));
}

/** Does something until it succeeds; every refusal must be an honest one. */
async function insist<T>(act: () => Promise<T>, onRefusal: () => void): Promise<T> {
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

/** Runs the sequence in one process, going on after refusals; gives how many calls it took. */
async function live(fault: Fault, at: number, { appends, checkpointRecords }: Logged): Promise<number> {
  const data = new Map<string, string>();
  const faulty = faultyDriver(data, fault, at, appends);
  const store = openStore(faulty.driver, { ...OPTIONS, checkpointRecords });
  const look = async (commits: number) => hasSeen(await insist(() => view(store), faulty.release), commits);
  await look(0);
  for (const [index, changes] of SEQUENCE.entries()) {
    await insist(() => store.commit(changes).then(() => true), faulty.release);
    await look(index + 1);
  }
  await store.close();
  const next = openStore(faultyDriver(data, "rejects", 0).driver, OPTIONS);
  hasSeen(await view(next), SEQUENCE.length);
  await next.close();
  return faulty.calls;
}

/** Runs the sequence until the process dies; the next one must find what was acknowledged, and all or nothing more. */
async function dying(fault: Fault, at: number, { appends, checkpointRecords }: Logged): Promise<boolean> {
  const data = new Map<string, string>();
  const faulty = faultyDriver(data, fault, at, appends);
  const store = openStore(faulty.driver, { ...OPTIONS, checkpointRecords, timeout: 60_000 });
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
  // What a dead process still does in its own memory is not looked at.
  const told = acknowledged;
  const possible = [viewAfter(told), viewAfter(Math.min(told + 1, SEQUENCE.length))];

  // The next process goes on, and so does the one after it.
  const next = openStore(faultyDriver(data, "rejects", 0, appends).driver, OPTIONS);
  const found = await view(next);
  const isOneOf = possible.findIndex((one) => isDeepStrictEqual(one, found));
  if (isOneOf === -1) expect(possible).toContainEqual(found);
  const done = isOneOf + told;
  for (const changes of SEQUENCE.slice(done)) await next.commit(changes);
  await next.close();
  const last = openStore(faultyDriver(data, "rejects", 0).driver, OPTIONS);
  hasSeen(await view(last), SEQUENCE.length);
  await last.close();
  return faulty.dead;
}

describe("a driver of which one call", () => {
  it.each(FAULTS.filter((fault) => !fault.includes("dies")))("%s, whichever it is", async (fault) => {
    for (const log of LOGS) await everyCall(fault, log);
  });

  async function everyCall(fault: Fault, log: Logged): Promise<void> {
    for (let at = 1; ; at++) {
      const calls = await live(fault, at, log).catch((cause) => {
        throw new Error(`call ${at} of the driver ${fault}, ${JSON.stringify(log)}: ${cause.message}`, { cause });
      });
      if (calls < at) {
        expect(at).toBeGreaterThan(40);
        return;
      }
    }
  }

  it.each(["loses the answer", "tears and rejects"] as const)(
    "%s, the last one before a close: nothing of it stays",
    async (fault) => {
      const data = new Map<string, string>();
      const first = openStore(faultyDriver(data, "rejects", 0).driver);
      await first.commit(SEQUENCE[0] ?? []);
      // What opening takes; the next call is the write.
      const opening = faultyDriver(new Map(data), "rejects", 0);
      await view(openStore(opening.driver));
      const store = openStore(faultyDriver(data, fault, opening.calls + 1).driver);
      await view(store);
      await expect(store.commit(SEQUENCE[1] ?? [])).rejects.toMatchObject({ code: "unavailable" });
      await store.close();
      expect(await view(openStore(faultyDriver(data, "rejects", 0).driver))).toEqual(viewAfter(1));
    },
  );

  it.each(["loses the answer", "tears and rejects"] as const)(
    "%s, of records that are appended the last one before a close: nothing of it stays",
    async (fault) => {
      const data = new Map<string, string>();
      const healthy = faultyDriver(data, "rejects", 0, true);
      await openStore(healthy.driver).commit(SEQUENCE[0] ?? []);
      // The second looks for its two documents, and opens the segment, before it is written.
      const at = healthy.calls + 4;
      data.clear();
      const store = openStore(faultyDriver(data, fault, at, true).driver);
      await store.commit(SEQUENCE[0] ?? []);
      await expect(store.commit(SEQUENCE[1] ?? [])).rejects.toMatchObject({ code: "unavailable" });
      const abandoned = new Map(data);
      await store.close();
      expect(await view(openStore(faultyDriver(data, "rejects", 0).driver))).toEqual(viewAfter(1));
      // Without the close, all of it or nothing.
      const after = await view(openStore(faultyDriver(abandoned, "rejects", 0).driver));
      expect(after).toEqual(viewAfter(fault === "loses the answer" ? 2 : 1));
    },
  );

  it("rejects takes along what was built upon it", async () => {
    const data = new Map<string, string>();
    const { driver } = faultyDriver(data, "rejects", 0);
    const refused: ((error: Error) => void)[] = [];
    const setItem: Driver["setItem"] = (...given) =>
      refused.length === 0 ? new Promise((_, reject) => refused.push(reject)) : driver.setItem?.(...given);
    const store = openStore({ ...driver, setItem });
    const failing = [store.commit([put("a", 1, null)])];
    await until(() => refused.length === 1);
    // These expect what the ones before leave, and wait behind them.
    failing.push(store.commit([put("a", 2, 1)]), store.commit([take("a", 2)]));
    refused[0]?.(new Error("the disk is full"));
    for (const { status, reason } of (await Promise.allSettled(failing)) as PromiseRejectedResult[]) {
      expect([status, reason?.code]).toEqual(["rejected", "unavailable"]);
    }
    expect(await view(store)).toEqual(viewAfter(0));
    await store.commit(SEQUENCE[0] ?? []);
    await store.close();
    expect(await view(openStore(faultyDriver(data, "rejects", 0).driver))).toEqual(viewAfter(1));
  });

  it("hangs for good refuses commits in time, still reads, and closes", async () => {
    const data = new Map<string, string>();
    const stuck = { at: false };
    const { driver } = faultyDriver(data, "rejects", 0);
    const setItem = driver.setItem?.bind(driver);
    const store = openStore(
      { ...driver, setItem: (...given) => (stuck.at ? new Promise(() => undefined) : setItem?.(...given)) },
      { timeout: 20 },
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

describe("a process that", () => {
  it.each(FAULTS.filter((fault) => fault.includes("dies")))("%s, at whichever call", async (fault) => {
    for (const log of LOGS) await everyDeath(fault, log);
  });

  async function everyDeath(fault: Fault, log: Logged): Promise<void> {
    for (let at = 1; ; at++) {
      const died = await dying(fault, at, log).catch((cause) => {
        throw new Error(`${fault} at call ${at}, ${JSON.stringify(log)}: ${cause.message}`, { cause });
      });
      if (!died) {
        expect(at).toBeGreaterThan(40);
        return;
      }
    }
  }
});
