/**
 * Documents hold their rows, so that a repair can rebuild lists. A process may die at any call of a checkpoint; the rows
 * must be complete after the next one, including those that the last commit of a document did not name.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { createIds } from "../../src/ids.ts";
import { repairStorage } from "../../src/storage/repair/repair.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import { type Data, driverOf, openData } from "../support/storage/damaged-storage.ts";
import { type Fault, faultyDriver } from "../support/storage/faulty.ts";
import { openStore, silent } from "../support/storage/open.ts";

const ids = createIds(systemClock);
const KEY = "thing:a";
const put = (list: string, text: string) => ({ list, put: { id: "a", order: text, text, marks: [text] } });

const repair = (data: Data) =>
  repairStorage({ driver: driverOf(data), clock: systemClock, ids, logger: silent, hash: nodeHash, isDryRun: true });

describe("the rows of a document whose last commit named only some of them", () => {
  let stored: Data;
  beforeAll(async () => {
    stored = new Map();
    const store = openData(stored);
    const rows = [put("named", "old"), put("unnamed", "old"), put("deleted", "old")];
    await store.commit([{ key: KEY, document: { n: 1 }, expected: null, rows }]);
    await store.close();
  });

  /** Changes the document, dies, and lets the next process finish; returns whether the process died. */
  async function survive(fault: Fault, at: number): Promise<boolean> {
    const faulty = faultyDriver(new Map(stored), fault, at);
    const dying = openStore(faulty.driver);
    const rows = [put("named", "new"), { list: "deleted", delete: "a" }];
    const change = async () => {
      await dying.commit([{ key: KEY, document: { n: 2 }, expected: 1, rows }]);
      await dying.close();
    };
    await Promise.race([change(), faulty.death]);

    const data = new Map(faulty.data);
    const next = openData(data);
    const found = await next.get<{ n: number }>(KEY);
    // Only a checkpoint that has something to store writes the document again.
    await next.commit([{ key: "thing:b", document: {}, expected: null }]);
    await next.close();
    const listed = await listsOf(data);
    expect(await textsIn(data, "named")).toEqual(found?.document.n === 2 ? ["new"] : ["old"]);
    expect(await textsIn(data, "unnamed")).toEqual(["old"]);
    expect(listed).toEqual(found?.document.n === 2 ? ["named", "unnamed"] : ["deleted", "named", "unnamed"]);
    expect(await repair(data)).toMatchObject({ damaged: [], orphaned: [], lost: [] });
    for (const list of listed) expect(await listsOf(await withoutList(data, list))).toEqual(listed);
    return faulty.dead;
  }

  async function listsOf(data: Data): Promise<string[]> {
    const store = openData(new Map(data));
    const lists: string[] = [];
    for (const name of ["deleted", "named", "unnamed"]) {
      if ((await store.list(name, { limit: 1 })).ids.length > 0) lists.push(name);
    }
    await store.close();
    return lists;
  }

  /** The texts under which searches, marks and totals find the row. */
  async function textsIn(data: Data, list: string): Promise<string[]> {
    const store = openData(new Map(data));
    const texts: string[] = [];
    for (const text of ["old", "new"]) {
      const { ids, total } = await store.list(list, { limit: 1, marks: [[text]] });
      const { ids: found } = await store.list(list, { limit: 1, search: text });
      const { orders } = await store.list(list, { limit: 1, from: text, until: text });
      expect([found, total, orders]).toEqual([ids, ids.length, ids.length === 0 ? undefined : [text]]);
      if (ids.length > 0) texts.push(text);
    }
    await store.close();
    return texts;
  }

  /** The storage after it has lost a list, and was repaired. */
  async function withoutList(data: Data, list: string): Promise<Data> {
    const repaired = new Map([...data].filter(([key]) => !key.startsWith(`list:${list}:`)));
    await repairStorage({ driver: driverOf(repaired), clock: systemClock, ids, logger: silent, hash: nodeHash });
    return repaired;
  }

  it.each(["dies", "dies after the call"] as const)("are complete when the process %s, at any call", async (fault) => {
    let deaths = 0;
    for (let at = 1; await survive(fault, at); at++) deaths++;
    expect(deaths).toBeGreaterThan(10);
  });
});
