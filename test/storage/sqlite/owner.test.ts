/** One process owns the file of a SQLite store. */
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import sqlite from "../../../adapters/storage/sqlite/sqlite.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { startChild } from "../../faults/child.ts";
import { silent } from "../../support/storage/open.ts";
import { createStoreFile, type StoreFile } from "./open.ts";

const OWNER = join(import.meta.dirname, "owner.ts");
const creation = { key: "thing:one", document: { n: 1 } } as const;

let storage: StoreFile;
beforeEach(() => {
  storage = createStoreFile();
});
afterEach(() => storage.clean());

describe("a file that another process uses", () => {
  it("is refused until that process has ended, also while it is stopped", async () => {
    const owner = await startChild(OWNER, [storage.file]);
    await owner.line((line) => line === "stored");
    process.kill(owner.pid ?? 0, "SIGSTOP");
    const store = storage.open();
    const refusal = {
      code: "unavailable",
      message: expect.stringMatching(/Only one process can use the store .*store\.db at a time: .* process \d+ on/),
    };
    await expect(store.get("thing:one")).rejects.toMatchObject(refusal);
    await expect(store.commit([creation])).rejects.toMatchObject(refusal);
    await owner.kill();
    expect(await store.get("thing:owned")).toMatchObject({ document: { by: "owner" } });
    await store.commit([creation]);
    await store.close();
  });

  it("is refused within the same process, and available after a close", async () => {
    const [first, second] = [storage.open(), storage.open()];
    await first.commit([creation]);
    await expect(second.get("thing:one")).rejects.toMatchObject({ code: "unavailable" });
    await first.close();
    expect(await second.get("thing:one")).toMatchObject({ version: 1 });
    await second.close();
  });

  it("takes no more from an owner that was replaced although it held the lock", async () => {
    const store = storage.open();
    await store.commit([creation]);
    // As where locks of files don't work: another process has opened the file.
    const other = await storage.look();
    other.exec("UPDATE meta SET value = value + 1 WHERE name = 'generation'");
    const late = store.commit([{ key: "thing:late", document: {} }]);
    await expect(late).rejects.toMatchObject({ code: "unavailable", message: expect.stringMatching(/taken over/) });
    expect(store.isFailing).toBe(true);
    expect(other.prepare("SELECT count(*) AS n FROM document").get()).toMatchObject({ n: 1 });
    other.close();
    await store.close();
  });
});

describe("a file that loses its place", () => {
  it("is known by its own path, whatever link leads to it", async () => {
    const store = storage.open();
    await store.commit([creation]);
    const link = join(storage.folder, "link.db");
    symlinkSync(storage.file, link);
    const other = sqlite({ file: link }).createStore({ clock: systemClock, logger: silent });
    await expect(other.get("thing:one")).rejects.toMatchObject({ code: "unavailable" });
    await other.close();
    await store.close();
  });

  it("stays locked while the process reads the files of its folder", async () => {
    const owner = await startChild(OWNER, [storage.file, dirname(storage.file)]);
    await owner.line((line) => line === "copied");
    const store = storage.open();
    await expect(store.get("thing:one")).rejects.toMatchObject({ code: "unavailable" });
    await store.close();
    await owner.kill();
  });

  it.each([
    ["is deleted", () => rmSync(storage.file)],
    ["is renamed", () => renameSync(storage.file, `${storage.file}.old`)],
    ["is moved with its folder", () => renameSync(dirname(storage.file), join(storage.folder, "elsewhere"))],
    [
      "is replaced",
      () => {
        cpSync(storage.file, `${storage.file}.new`);
        renameSync(`${storage.file}.new`, storage.file);
      },
    ],
  ])("acknowledges nothing once it %s", async (_, act) => {
    const store = storage.open();
    await store.commit([creation]);
    act();
    const late = store.commit([{ key: "thing:late", document: {} }]);
    await expect(late).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/was moved, deleted or replaced/),
    });
    expect(await store.get("thing:late")).toBeNull();
    await store.close();
  });
});

describe("a file that is no store of this version", () => {
  it("is refused and left as it is: a later format", async () => {
    const store = storage.open();
    await store.commit([creation]);
    await store.close();
    const database = await storage.look();
    database.exec("UPDATE meta SET value = 99 WHERE name = 'format'");
    const later = storage.open();
    await expect(later.get("thing:one")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/has format 99\. This version of Stepwell reads format 1\./),
    });
    database.exec("UPDATE meta SET value = 1 WHERE name = 'format'");
    expect(await later.get("thing:one")).toMatchObject({ version: 1 });
    database.close();
    await later.close();
  });

  it("is refused and left as it is: another program's database", async () => {
    mkdirSync(dirname(storage.file));
    const database = await storage.look();
    database.exec("CREATE TABLE customer (name TEXT)");
    const store = storage.open();
    await expect(store.commit([creation])).rejects.toMatchObject({ message: expect.stringMatching(/another program/) });
    await store.close();
    expect(database.prepare("SELECT name FROM sqlite_master").all()).toMatchObject([{ name: "customer" }]);
    database.close();
  });

  it("is refused: a file that is no database", async () => {
    mkdirSync(dirname(storage.file));
    writeFileSync(storage.file, "This is a text of more than sixteen characters.".repeat(100));
    const store = storage.open();
    await expect(store.get("thing:one")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/The store .*store\.db failed: .*not a database/),
    });
    await store.close();
  });

  it("is refused: a folder", async () => {
    mkdirSync(storage.file, { recursive: true });
    const store = storage.open();
    await expect(store.get("thing:one")).rejects.toMatchObject({ code: "unavailable" });
    await store.close();
  });
});
