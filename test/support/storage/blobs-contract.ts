/** What every implementation of the blobs port must do. */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Blob, Blobs } from "../../../src/ports/blobs.ts";

/** The block size of the blobs under test. */
export const BLOCK = 1_000;

export interface BlobsFixture {
  readonly blobs: Blobs;
  /** Opens the same storage again, as another process would. */
  reopen(): Promise<Blobs>;
  /** Whether a blob is one growing item, instead of one item per block. */
  readonly isSingleItem: boolean;
  /** The number of items that the driver holds for a blob. */
  blocks(id: string): Promise<number>;
  /** Removes the first blocks of a blob from the driver. */
  loseBlocks(id: string, count: number): Promise<void>;
  /** What the blobs logged. */
  readonly logged: readonly string[];
  clean(): Promise<void>;
}

/** Bytes whose pattern differs from block to block, so that swapped blocks are noticed. */
export function bytes(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, index) => (index * 31 + (index >> 8)) & 0xff);
}

export async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

/** Sizes around block boundaries. */
const EACH = {
  sizes: [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 10 * BLOCK + 7],
  steps: [1, 7, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK],
  starts: [0, 1, 999, 1_000, 1_001, 2_500, 3_499, 3_500],
  ends: [0, 1, 999, 1_000, 1_001, 2_000, 3_001, 3_500],
  pauses: [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 345],
};
/** The code that splits blobs into blocks is the same for all drivers, so a slow driver needs only one of each kind. */
const FEW: typeof EACH = {
  sizes: [0, 1, BLOCK, 3 * BLOCK + 7],
  steps: [7, 5 * BLOCK],
  starts: [0, 999, 1_000, 3_500],
  ends: [1, 1_000, 2_000, 3_500],
  pauses: [0, BLOCK, 2 * BLOCK + 345],
};

/** @param isSlow Whether each request of the driver takes milliseconds. */
export function blobsContract(name: string, createFixture: () => Promise<BlobsFixture>, isSlow = false): void {
  const { sizes, steps, starts, ends, pauses } = isSlow ? FEW : EACH;

  describe(`blobs on ${name}`, () => {
    let fixture: BlobsFixture;
    beforeEach(async () => {
      fixture = await createFixture();
    });
    afterEach(() => fixture.clean());

    async function store(content: Uint8Array, step = content.length || 1): Promise<Blob> {
      const writer = fixture.blobs.open("blob_one", 1_000_000);
      const buffer = new Uint8Array(step);
      for (let at = 0; at < content.length; at += step) {
        const part = content.subarray(at, at + step);
        // One buffer for all writes, as a socket has it: bytes that were accepted must not change with it.
        buffer.set(part);
        await writer.write(buffer.subarray(0, part.length));
      }
      return writer.finish();
    }

    it.each(sizes)("stores and reads %d bytes with their digest", async (size) => {
      const content = bytes(size);
      const blob = await store(content);
      const sha256 = createHash("sha256").update(content).digest("hex");
      const block_size = fixture.isSingleItem ? Number.MAX_SAFE_INTEGER : BLOCK;
      expect(blob).toEqual({ id: "blob_one", size, block_size, sha256 });
      expect(Buffer.compare(await readAll(fixture.blobs.read(blob)), content)).toBe(0);
    });

    it.each(steps)("stores the same blob when it is written %d bytes at a time", async (step) => {
      const content = bytes(4_321);
      const blob = await store(content, step);
      expect(Buffer.compare(await readAll(fixture.blobs.read(blob)), content)).toBe(0);
      expect(await fixture.blocks("blob_one")).toBe(fixture.isSingleItem ? 1 : 5);
    });

    it.each([
      [1, 0],
      [3 * BLOCK + 7, 5],
      [3 * BLOCK + 7, 3 * BLOCK + 6],
    ])("fails before the last of %d bytes, and logs the blob, when byte %d was changed", async (size, at) => {
      const content = bytes(size);
      const blob = await store(content);
      await fixture.blobs.sweep(blob.id);
      await store(content.map((byte, index) => (index === at ? byte ^ 1 : byte)));
      const read: Uint8Array[] = [];
      const reading = (async () => {
        for await (const bytes of fixture.blobs.read(blob)) read.push(bytes);
      })();
      await expect(reading).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("blob_one"),
      });
      expect(read.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(size);
      expect(fixture.logged).toEqual([expect.stringContaining("blob_one")]);
    });

    it("reads any range and rejects an invalid one", async () => {
      const content = bytes(3_500);
      const blob = await store(content);
      for (const start of starts) {
        for (const end of ends.filter((end) => end >= start)) {
          const part = await readAll(fixture.blobs.read(blob, { start, end }));
          expect(Buffer.compare(part, content.subarray(start, end))).toBe(0);
        }
      }
      for (const range of [
        { start: 0, end: 3_501 },
        { start: -1, end: 2 },
        { start: 3, end: 2 },
      ]) {
        expect(() => fixture.blobs.read(blob, range)).toThrow(
          expect.objectContaining({ code: "range_not_satisfiable" }),
        );
      }
    });

    it("returns copies that the reader may change", async () => {
      const blob = await store(bytes(1_500));
      for await (const part of fixture.blobs.read(blob)) part.fill(0);
      expect(Buffer.compare(await readAll(fixture.blobs.read(blob)), bytes(1_500))).toBe(0);
    });

    it("returns the first 4,100 bytes of a blob while it is written", async () => {
      const writer = fixture.blobs.open("blob_one", 10_000);
      const content = bytes(6_000);
      expect(writer.head()).toEqual(new Uint8Array(0));
      await writer.write(content.subarray(0, 10));
      expect(Buffer.compare(writer.head(), content.subarray(0, 10))).toBe(0);
      await writer.write(content.subarray(10));
      expect(Buffer.compare(writer.head(), content.subarray(0, 4_100))).toBe(0);
      expect(writer.size).toBe(6_000);
      await writer.abort();
    });

    it("rejects a blob that exceeds its limit by a byte and leaves nothing behind", async () => {
      const exact = fixture.blobs.open("blob_exact", 2_500);
      await exact.write(bytes(2_500));
      expect((await exact.finish()).size).toBe(2_500);
      const writer = fixture.blobs.open("blob_one", 2_500);
      await writer.write(bytes(2_400));
      const late = (async () => writer.write(bytes(101)))();
      await expect(late).rejects.toMatchObject({ code: "too_large" });
      await expect((async () => writer.finish())()).rejects.toMatchObject({ code: "too_large" });
      await writer.abort();
      await writer.abort();
      expect(await fixture.blocks("blob_one")).toBe(0);
    });

    it("removes everything on abort, during the writes and after the end", async () => {
      const writer = fixture.blobs.open("blob_one", 100_000);
      for (let n = 0; n < 5; n++) await writer.write(bytes(1_200));
      await writer.abort();
      expect(await fixture.blocks("blob_one")).toBe(0);
      const whole = fixture.blobs.open("blob_one", 100_000);
      await whole.write(bytes(2_500));
      await whole.finish();
      await whole.abort();
      expect(await fixture.blocks("blob_one")).toBe(0);
    });

    it("deletes a blob by its id alone", async () => {
      await store(bytes(7_500));
      await fixture.blobs.sweep("blob_one");
      expect(await fixture.blocks("blob_one")).toBe(0);
      await fixture.blobs.sweep("blob_one");
    });

    it("sweeps blocks after missing ones, up to the given size", async () => {
      await store(bytes(7_500));
      if (!fixture.isSingleItem) await fixture.loseBlocks("blob_one", 6);
      await fixture.blobs.sweep("blob_one", 7_500);
      expect(await fixture.blocks("blob_one")).toBe(0);
    });

    it("fails with the name of the missing or short item when bytes are lost", async () => {
      const blob = await store(bytes(3_500));
      await fixture.loseBlocks(blob.id, fixture.isSingleItem ? 1 : 2);
      const stream = fixture.blobs.read(blob);
      await expect(readAll(stream)).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("blob_one.0"),
      });
      await fixture.blobs.sweep(blob.id);
      const longer = await store(bytes(3_500));
      const wrong = fixture.blobs.read({ ...longer, size: 3_600 });
      await expect(readAll(wrong)).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining(fixture.isSingleItem ? "blob_one.0" : "blob_one.3"),
      });
    });

    it.each(pauses)("resumes a blob paused at %d bytes, in this process and in another one", async (size) => {
      const content = bytes(4_321);
      for (const open of [async () => fixture.blobs, () => fixture.reopen()]) {
        const writer = fixture.blobs.open("blob_one", 5_000);
        await writer.write(content.subarray(0, size));
        let progress = await writer.pause();
        expect(progress.size).toBe(size);
        // Written after the pause, and never acknowledged.
        const lost = await (await open()).resume(progress, 5_000);
        await lost.write(bytes(2_000).fill(7));
        await lost.pause();
        for (const next of [size, size + 10, size + 10, 4_000]) {
          if (next < progress.size) continue;
          const again = await (await open()).resume(progress, 5_000);
          expect(again.size).toBe(progress.size);
          await again.write(content.subarray(progress.size, next));
          progress = await again.pause();
        }
        const last = await (await open()).resume(progress, 5_000);
        expect(Buffer.compare(last.head(), content.subarray(0, Math.min(progress.size, 4_100)))).toBe(0);
        await last.write(content.subarray(progress.size));
        const blob = await last.finish();
        expect(blob.sha256).toBe(createHash("sha256").update(content).digest("hex"));
        await fixture.blobs.deleteTails(blob);
        expect(await fixture.blocks("blob_one")).toBe(fixture.isSingleItem ? 1 : 5);
        expect(Buffer.compare(await readAll(fixture.blobs.read(blob)), content)).toBe(0);
        await fixture.blobs.sweep(blob.id);
        expect(await fixture.blocks("blob_one")).toBe(0);
      }
    });

    it("holds a resumed blob to its limit, and removes it on abort", async () => {
      const writer = fixture.blobs.open("blob_one", 2_500);
      await writer.write(bytes(2_400));
      const progress = await writer.pause();
      const again = await fixture.blobs.resume(progress, 2_500);
      await expect((async () => again.write(bytes(101)))()).rejects.toMatchObject({ code: "too_large" });
      await again.abort();
      expect(await fixture.blocks("blob_one")).toBe(0);
    });

    it("fails to resume a paused blob whose bytes are lost", async () => {
      const writer = fixture.blobs.open("blob_one", 9_000);
      await writer.write(bytes(2_400));
      const progress = await writer.pause();
      await fixture.blobs.sweep("blob_one");
      const writing = async () => {
        const lost = await (await fixture.reopen()).resume(progress, 9_000);
        await lost.write(bytes(BLOCK));
        await lost.finish();
      };
      await expect(writing()).rejects.toMatchObject({ code: "unavailable" });
    });

    it("can be canceled while it is read", async () => {
      const blob = await store(bytes(9_000));
      const reader = fixture.blobs.read(blob).getReader();
      expect((await reader.read()).value).toHaveLength(BLOCK);
      await reader.cancel();
    });
  });
}
