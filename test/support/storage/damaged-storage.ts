/** A storage for the tests of damage, and the ways in which an item can be damaged. */
import type { Store } from "../../../src/ports/store.ts";
import type { DriverStoreOptions } from "../../../src/storage/store.ts";
import { faultyDriver } from "./faulty.ts";
import { openStore } from "./open.ts";

export type Data = Map<string, string>;

export const DAMAGES: readonly (readonly [name: string, left: (text: string) => string | null])[] = [
  ["truncated", (text) => text.slice(0, text.length >> 1)],
  ["empty", () => ""],
  ["one character changed", (text) => `${text.slice(0, -2)}!${text.slice(-1)}`],
  ["missing", () => null],
];
const LISTS = ["things", "others", "late"];

export const driverOf = (data: Data) => faultyDriver(data, "rejects", 0).driver;
export const openData = (data: Data, options: DriverStoreOptions = {}): Store => openStore(driverOf(data), options);

/** Writes lists in several sessions. @param hasLogRecords Whether log records follow the last checkpoint. */
export async function createStorage(hasLogRecords: boolean): Promise<Data> {
  const data: Data = new Map();
  const write = async (list: string, ids: readonly string[], isClosed: boolean) => {
    const store = openData(data);
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
  if (hasLogRecords) await write("late", ["a", "b", "c"], false);
  return data;
}

/** Reads every document of every list. */
export async function readAll(data: Data): Promise<string> {
  const store = openData(data);
  const all: string[] = [];
  for (const list of LISTS) {
    const query = { limit: 10, descending: false };
    const { documents } = await store.listDocuments<{ id: string }>(list, query, (id) => `thing:${list}-${id}`);
    for (const { document } of documents) all.push(`${list}:${document.id}`);
  }
  return all.join(" ");
}

/** A copy in which one item is damaged or removed. */
export function withDamage(data: Data, key: string, left: (text: string) => string | null): Data {
  const copy = new Map(data);
  const rest = left(data.get(key) ?? "");
  if (rest === null) copy.delete(key);
  else copy.set(key, rest);
  return copy;
}
