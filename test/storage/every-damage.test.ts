/** Each item of a storage damaged or removed, one at a time: commits are all there, or an error names the item. */
import { beforeAll, describe, expect, it } from "vitest";
import { nodeHash } from "../../adapters/crypto/node-hash.ts";
import { createIds } from "../../src/ids.ts";
import { repairStorage } from "../../src/storage/repair/repair.ts";
import { systemClock } from "../../src/time/system-clock.ts";
import {
  createStorage,
  DAMAGES,
  type Data,
  driverOf,
  readAll,
  withDamage,
} from "../support/storage/damaged-storage.ts";
import { silent } from "../support/storage/open.ts";

async function outcome(data: Data): Promise<string> {
  return readAll(data).catch((error: Error & { code: string }) => `${error.code}: ${error.message}`);
}

describe.each([
  ["a storage that was closed", false],
  ["a storage with log records after its checkpoint", true],
])("%s", (_, late) => {
  let whole: Data;
  let right: string;
  beforeAll(async () => {
    whole = await createStorage(late);
    right = await readAll(new Map(whole));
  });

  it.each(DAMAGES)("returns everything or an error that names the item, when any one item is %s", async (_, left) => {
    const last = [...whole.keys()]
      .filter((key) => key.startsWith("log:"))
      .sort()
      .at(-1);
    const wrong: string[] = [];
    for (const key of whole.keys()) {
      if (key === last) continue; // a torn or missing last record was never acknowledged
      const found = await outcome(withDamage(whole, key, left));
      const isNamed = found.startsWith("unavailable") && found.includes(key.startsWith("thing:") ? key : "");
      if (found !== right && !isNamed) wrong.push(`${key}: ${found}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ["manifest", /manifest/],
    ["list:things", /"things"/],
    ["list:others", /"others"/],
  ])("reports %s instead of reading it as empty, when both copies are damaged or missing", async (name, message) => {
    for (const [, one] of DAMAGES) {
      for (const [, other] of DAMAGES) {
        const data = new Map(whole);
        for (const [copy, left] of [
          ["a", one],
          ["b", other],
        ] as const) {
          const key = `${name}:${copy}`;
          const rest = left(data.get(key) ?? "0123456789");
          if (rest === null) data.delete(key);
          else if (data.has(key)) data.set(key, rest);
        }
        const found = await outcome(data);
        expect(found).toMatch(/^unavailable/);
        expect(found).toMatch(message);
      }
    }
  });

  it("is not opened without the list of lists, and a repair rebuilds all lists", async () => {
    for (const isGone of [
      (key: string) => /^list:stored-lists:/.test(key),
      (key: string) => /^list:stored-lists:[ab]$/.test(key),
      (key: string) => key.startsWith("list:"),
    ]) {
      const data = new Map([...whole].filter(([key]) => !isGone(key)));
      const found = await outcome(data);
      expect(found).toMatch(/^unavailable.*list:stored-lists.*repairStorage/);
      const driver = driverOf(data);
      const ports = { clock: systemClock, ids: createIds(systemClock), logger: silent, hash: nodeHash };
      expect(await repairStorage({ driver, ...ports })).toMatchObject({ lost: [], orphaned: [] });
      expect(await outcome(data)).toBe(right);
    }
  });

  it("is read in its latest state when either copy is damaged", async () => {
    for (const name of ["manifest", "list:things", "list:others"]) {
      for (const copy of ["a", "b"]) {
        const data = new Map(whole);
        data.set(`${name}:${copy}`, "damaged");
        expect(await outcome(data)).toBe(right);
      }
    }
  });
});
