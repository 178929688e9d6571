/** Each item of a storage damaged or removed, one at a time: what was acknowledged is there, or an error names the item. */
import { beforeAll, describe, expect, it } from "vitest";
import { faultyDriver } from "./faulty.ts";
import { openStore } from "./open.ts";

type Data = Map<string, string>;

const LEFT: readonly (readonly [name: string, left: (text: string) => string | null])[] = [
  ["half of it is left", (text) => text.slice(0, text.length >> 1)],
  ["it is empty", () => ""],
  ["a character is another", (text) => `${text.slice(0, -2)}!${text.slice(-1)}`],
  ["it is missing", () => null],
];
const LISTS = ["things", "others", "late"];
const open = (data: Data, options = {}) => openStore(faultyDriver(data, "rejects", 0).driver, options);

/** Two checkpoints, and records behind them. @param late Whether records of the log follow the last checkpoint */
async function written(late: boolean): Promise<Data> {
  const data: Data = new Map();
  const write = async (list: string, ids: readonly string[], isClosed: boolean) => {
    const store = open(data);
    for (const id of ids) {
      await store.commit([
        { key: `thing:${list}-${id}`, document: { id }, expected: null, rows: [{ list, put: { id } }] },
      ]);
    }
    if (isClosed) await store.close();
  };
  await write("things", ["a", "b"], true);
  await write("things", ["c"], true);
  await write("others", ["a"], true);
  if (late) await write("late", ["a", "b", "c"], false);
  return data;
}

async function readAll(data: Data): Promise<string> {
  const store = open(data);
  const all: string[] = [];
  for (const list of LISTS) {
    const { ids } = await store.list(list, { limit: 10, descending: false });
    for (const id of ids) all.push(`${list}:${(await store.get(`thing:${list}-${id}`)) === null ? "no document" : id}`);
  }
  return all.join(" ");
}

async function outcome(data: Data): Promise<string> {
  return readAll(data).catch((error: Error & { code: string }) => `${error.code}: ${error.message}`);
}

describe.each([
  ["a storage that was closed", false],
  ["a storage with records behind its checkpoint", true],
])("%s", (_, late) => {
  let whole: Data;
  let right: string;
  beforeAll(async () => {
    whole = await written(late);
    right = await readAll(new Map(whole));
  });

  it.each(LEFT)("gives all of it or an error that names the item, whichever item it is: %s", async (_, left) => {
    const last = [...whole.keys()]
      .filter((key) => key.startsWith("log:"))
      .sort()
      .at(-1);
    const wrong: string[] = [];
    for (const [key, text] of whole) {
      if (key === last) continue; // a torn or missing last record was promised to nobody
      const data = new Map(whole);
      const rest = left(text);
      if (rest === null) data.delete(key);
      else data.set(key, rest);
      const found = await outcome(data);
      // A document that is missing is known by the row that names it.
      const isKnown = found === right || (found.startsWith("unavailable") && found.includes(key.split(":")[1] ?? key));
      const isTold = found.startsWith("unavailable") || found.includes("no document");
      if (!isKnown && !isTold) wrong.push(`${key}: ${found}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ["manifest", /manifest/],
    ["list:things", /"things"/],
    ["list:others", /"others"/],
  ])("does not read %s as if it never was, whatever is left of both its slots", async (name, said) => {
    for (const [, one] of LEFT) {
      for (const [, other] of LEFT) {
        const data = new Map(whole);
        for (const [slot, left] of [
          ["a", one],
          ["b", other],
        ] as const) {
          const key = `${name}:${slot}`;
          const rest = left(data.get(key) ?? "0123456789");
          if (rest === null) data.delete(key);
          else if (data.has(key)) data.set(key, rest);
        }
        const found = await outcome(data);
        expect(found).toMatch(/^unavailable/);
        expect(found).toMatch(said);
      }
    }
  });

  it("is never read from a state before the last checkpoint", async () => {
    for (const name of ["manifest", "list:things", "list:others"]) {
      for (const slot of ["a", "b"]) {
        const data = new Map(whole);
        data.set(`${name}:${slot}`, "damaged");
        expect(await outcome(data)).toBe(right);
      }
    }
  });
});
