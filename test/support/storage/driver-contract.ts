/** What Stepwell's drivers must do beyond what the store and the blobs require of any driver. */
import { writeSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DriverOwnership, ExtendedDriver, LentFile, WriteOptions } from "../../../src/ports/driver.ts";

export interface DriverFixture {
  open(): ExtendedDriver;
  clean(): Promise<void>;
}

export function driverContract(name: string, createFixture: () => Promise<DriverFixture>, exclusive = true): void {
  describe(`driver ${name}`, () => {
    let fixture: DriverFixture;
    let driver: ExtendedDriver;
    beforeEach(async () => {
      fixture = await createFixture();
      driver = fixture.open();
    });
    afterEach(async () => {
      await driver.dispose?.();
      await fixture.clean();
    });

    it("returns null for a missing item, and removing it does nothing", async () => {
      expect(await driver.getItem("none:at.all")).toBeNull();
      expect(await driver.getItemRaw?.("none:at.all", {})).toBeNull();
      expect(await driver.getItemRange?.("none:at.all", 0, 5)).toBeNull();
      expect(await driver.hasItem("none:at.all", {})).toBe(false);
      await driver.removeItem?.("none:at.all", {});
    });

    it.each(["123", "true", "null", '{"__proto__":1}', "ünïcødé 🌊", "x".repeat(300_000)])(
      "stores the text %.20s",
      async (text) => {
        await driver.setItem?.("kind:one", "before", {});
        await driver.setItem?.("kind:one", text, {});
        expect(await driver.getItem("kind:one")).toBe(text);
        expect(await driver.hasItem("kind:one", {})).toBe(true);
        await driver.dispose?.();
        driver = fixture.open();
        expect(await driver.getItem("kind:one")).toBe(text);
        await driver.removeItem?.("kind:one", {});
        expect(await driver.getItem("kind:one")).toBeNull();
      },
    );

    it("stores a copy of bytes, and reads ranges of them", async () => {
      const bytes = Uint8Array.from({ length: 2_000 }, (_, index) => index & 0xff);
      const given = bytes.slice();
      await driver.setItemRaw?.("blob:one.0", given.subarray(100, 1_900), {});
      given.fill(0);
      const read = await driver.getItemRaw?.("blob:one.0", {});
      expect(read).toBeInstanceOf(Uint8Array);
      expect(Buffer.compare(read as Uint8Array, bytes.subarray(100, 1_900))).toBe(0);
      expect(Array.from((await driver.getItemRange?.("blob:one.0", 10, 13)) ?? [])).toEqual([110, 111, 112]);
      expect(await driver.getItemRange?.("blob:one.0", 1_790, 1_900)).toHaveLength(10);
    });

    it("lists and clears keys by prefix", async () => {
      for (const key of ["a:1", "a:2", "b:1"]) await driver.setItem?.(key, "x", {});
      expect((await driver.getKeys("a:", {})).toSorted()).toEqual(["a:1", "a:2"]);
      await driver.clear?.("a:", {});
      expect(await driver.getKeys("", {})).toEqual(["b:1"]);
    });

    it.runIf(/^fs\b/.test(name))("appends to open items (fs only: other drivers have no items that grow)", async () => {
      const { openItem } = driver;
      if (openItem === undefined) throw new Error("the driver has no openItem");
      await expect(openItem("log:1", "end")).rejects.toThrow();
      const one = await openItem("log:1", "new");
      await expect(openItem("log:1", "new")).rejects.toMatchObject({ name: "AlreadyExists" });
      const two = await openItem("log:2", "new");
      for (const data of ["one\n", "ünïcødé 🌊\n", new Uint8Array(300_000).fill(51)]) {
        await one.write(data);
        await two.write("-");
      }
      const whole = `one\nünïcødé 🌊\n${"3".repeat(300_000)}`;
      expect(await driver.getItem("log:1")).toBe(whole);
      await one.close();
      const again = await openItem("log:1", "end");
      await again.write("!");
      expect(await driver.getItem("log:1")).toBe(`${whole}!`);
      await expect(openItem("log:1", whole.length + 100)).rejects.toThrow();
      const shorter = await openItem("log:1", 3);
      await shorter.write(" more");
      // Left open: the driver closes them.
      await driver.dispose?.();
      driver = fixture.open();
      expect(await driver.getItem("log:1")).toBe("one more");
      expect(await driver.getItem("log:2")).toBe("---");
    });

    it("rejects every write of a replaced owner, if the driver has ownership", async ({ skip }) => {
      const { takeOwnership } = driver;
      if (takeOwnership === undefined) throw skip("the driver has no ownership");
      const oldOwnership = await takeOwnership(() => undefined);
      if (oldOwnership === null) throw skip("the storage has no ownership");
      const old = as(driver, oldOwnership);
      await old.verify();
      await old.setItem("thing:a", "old", {});
      await old.setItem("thing:removed", "old", {});
      await old.setItem("log:1", "one", { exclusive: true });
      await expect(async () => old.setItem("log:1", "two", { exclusive: true })).rejects.toMatchObject({
        name: "AlreadyExists",
      });
      await old.setItemRaw?.("blob:a.0", new Uint8Array([1, 2, 3]), {});
      await old.removeItem("thing:removed", {});
      await old.removeItem("thing:never", {});
      expect(await driver.getItem("thing:removed")).toBeNull();
      await old.setItem("thing:removed", "again", { exclusive: true });
      const [opened, more] = [await old.openItem?.("log:2", "new"), await old.openItem?.("blob:b.0", "new")];
      await opened?.write("one");
      await more?.write("12345678");

      const ownership = await takeOwnership(() => undefined, old.generation + 5);
      const owner = ownership === null ? null : as(driver, ownership);
      expect(owner?.generation).toBeGreaterThan(old.generation + 5);
      await owner?.setItem("thing:a", "new", {});
      await owner?.removeItem("thing:removed", {});
      await owner?.removeItem("log:2", {});
      await owner?.setItemRaw?.("blob:a.0", new Uint8Array([4, 5]), {});
      const all = ["thing:a", "thing:removed", "log:1", "log:2", "blob:a.0"];
      const before = await Promise.all(all.map((key) => driver.getItem(key)));
      const tries: readonly (() => unknown)[] = [
        () => old.verify(),
        () => old.setItem("thing:a", "late", {}),
        () => old.setItem("thing:new", "late", { exclusive: true }),
        () => old.setItemRaw?.("blob:a.0", new Uint8Array([9]), {}),
        () => old.removeItem("thing:a", {}),
        ...(old.openItem === undefined
          ? []
          : [
              () => old.openItem?.("log:3", "new"),
              () => old.openItem?.("blob:b.0", 2),
              // The next owner has removed it: "missing" would look like damage.
              () => old.openItem?.("log:2", "end"),
            ]),
      ];
      for (const late of tries) await expect(async () => late()).rejects.toMatchObject({ name: "Fenced" });
      expect(await Promise.all(all.map((key) => driver.getItem(key)))).toEqual(before);
      // An item that the next owner resumes belongs to it: what the old owner appends is not in it.
      const resumed = await owner?.openItem?.("blob:b.0", 4);
      if (more !== undefined) await expect(async () => more.write("late")).rejects.toMatchObject({ name: "Fenced" });
      if (more?.lend !== undefined) {
        await expect(more.lend(4, async (file) => writeTo(file, "late"))).rejects.toMatchObject({ name: "Fenced" });
      }
      await resumed?.write("!");
      if (resumed !== undefined) expect(await driver.getItem("blob:b.0")).toBe("1234!");
      await owner?.verify();
      expect(await driver.getItem("thing:removed")).toBeNull();
      expect(await driver.hasItem("thing:removed", {})).toBe(false);
    });

    if (!exclusive) return;

    it("lets exactly one of many concurrent exclusive creations succeed", async () => {
      const tries = Array.from({ length: 10 }, async (_, n) =>
        driver.setItem?.("log:1", `text ${n}`, { exclusive: true }),
      );
      const results = await Promise.allSettled(tries);
      const winners = results.flatMap((result, n) => (result.status === "fulfilled" ? [`text ${n}`] : []));
      expect(winners).toHaveLength(1);
      expect(await driver.getItem("log:1")).toBe(winners[0]);
      const names = results.flatMap((result) => (result.status === "rejected" ? [result.reason.name] : []));
      expect(new Set(names)).toEqual(new Set(["AlreadyExists"]));
      await driver.setItem?.("log:1", "replaced", {});
      expect(await driver.getItem("log:1")).toBe("replaced");
    });
  });
}

const writeTo = ({ descriptor, position }: LentFile, text: string) => writeSync(descriptor, text, position);

/** A driver as one of its owners writes to it. */
function as(driver: ExtendedDriver, { generation, verify }: DriverOwnership) {
  const { openItem } = driver;
  return {
    generation,
    verify,
    setItem: async (key: string, value: string, options: WriteOptions) =>
      driver.setItem?.(key, value, { ...options, generation }),
    setItemRaw: async (key: string, value: Uint8Array, options: WriteOptions) =>
      driver.setItemRaw?.(key, value, { ...options, generation }),
    removeItem: async (key: string, options: WriteOptions) => driver.removeItem?.(key, { ...options, generation }),
    ...(openItem !== undefined && {
      openItem: (key: string, from: "new" | "end" | number) => openItem(key, from, { generation }),
    }),
  };
}
