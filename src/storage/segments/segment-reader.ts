/** Reads documents from segments. Memory holds the indexes and blocks that were used last. */
import { LRUCache } from "lru-cache";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { damaged, isStepwellError, type StepwellError } from "../../errors.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import { forEachParallel } from "../driver/parallel.ts";
import { type Entry, type EntryContent, findLine, findLineIn, parseEntry, SEPARATOR } from "./entry.ts";
import { mayContain } from "./key-filter.ts";
import { blockOf, documentSegmentKey, parseEntries, parseIndex, type Segment, type SegmentIndex } from "./segment.ts";

export interface SegmentReader {
  /** Returns the entries of keys that the segment has. An error, without throwing it, for one that is damaged. */
  find(segment: Segment, keys: readonly string[]): Promise<ReadonlyMap<string, FoundEntry | StepwellError>>;
  /** Returns the bytes of the line of a key, which is not checked. Undefined if there is none, an error for damage. */
  findLine(segment: Segment, key: string): Promise<Uint8Array | StepwellError | undefined>;
  /** Returns all entries, whose lines are not checked. Undefined if the segment is damaged or missing. */
  readAll(segment: Segment): Promise<readonly Entry[] | undefined>;
  /** Memory that the kept indexes and blocks take, in bytes, roughly. */
  readonly memory: number;
}

export interface FoundEntry extends EntryContent {
  /** Length of its line. */
  readonly size: number;
}

/** Indexes of about 1,000 segments. */
const MAX_INDEX_MEMORY = 8 * MEBIBYTE;
const MAX_BLOCKS_CHARS = 4 * MEBIBYTE;
const MAX_BLOCK_CHARS = 256 * 1024;
/** Number of blocks of a segment that cost about as much as all of it. */
const MANY_BLOCKS = 8;

export function createSegmentReader({ codec, segments: items }: ChecksummedItems): SegmentReader {
  const indexes = new LRUCache<string, SegmentIndex>({ maxSize: MAX_INDEX_MEMORY });
  /** By the name of the segment and the start of the block. */
  const blocks = new LRUCache<string, string>({ maxSize: MAX_BLOCKS_CHARS });
  /** Returns a part of a segment, or null if the segment is missing. */
  async function readPart(segment: Segment, start: number, end: number): Promise<string | null> {
    if (items.readsParts) return readBlock(segment, start, end);
    // The driver reads the whole segment, so it is kept as one block.
    return (await readBlock(segment, 0, segment.size))?.slice(start, end) ?? null;
  }

  async function readBlock({ name }: Segment, start: number, end: number): Promise<string | null> {
    const id = `${name}:${start}`;
    const known = blocks.get(id);
    if (known !== undefined) return known;
    const text = await items.read(documentSegmentKey(name), start, end);
    if (text !== null) blocks.set(id, text, { size: text.length + id.length });
    return text;
  }

  /** Long blocks are not kept as texts. */
  async function readBytes(segment: Segment, start: number, end: number): Promise<Uint8Array> {
    if (end - start > MAX_BLOCK_CHARS && items.readBytes !== null)
      return (await items.readBytes(documentSegmentKey(segment.name), start, end)) ?? new Uint8Array();
    return new TextEncoder().encode((await readPart(segment, start, end)) ?? "");
  }

  async function indexOf(segment: Segment): Promise<SegmentIndex | StepwellError> {
    const known = indexes.get(segment.name);
    if (known !== undefined) return known;
    const text = (await readPart(segment, 0, segment.indexSize)) ?? "";
    const index = parseIndex(codec, segment, text.slice(0, -SEPARATOR.length));
    if (index === undefined) return damaged(documentSegmentKey(segment.name), "A segment of documents");
    indexes.set(segment.name, index, { size: index.memory });
    return index;
  }

  /** Whether all lines of a block are intact. If not, one of them may have been the one that was not found. */
  function isIntact(text: string, size: number): boolean {
    if (text.length !== size) return false;
    const lines = text.split(SEPARATOR);
    return lines.pop() === "" && lines.every((line) => parseEntry(codec, line) !== undefined);
  }

  /** Returns a function that reads blocks. Many of them are read with one call. */
  async function openBlocks(segment: Segment, { blockStarts }: SegmentIndex, blocks: readonly number[]) {
    const startOf = (block: number) => blockStarts[block] ?? 0;
    if (blocks.length < MANY_BLOCKS) return (block: number) => readPart(segment, startOf(block), startOf(block + 1));
    const first = startOf(Math.min(...blocks));
    const text = await items.read(documentSegmentKey(segment.name), first, startOf(Math.max(...blocks) + 1));
    return async (block: number) => text?.slice(startOf(block) - first, startOf(block + 1) - first) ?? null;
  }

  /** Finds the keys that belong in one block. */
  function findInBlock(
    text: string,
    size: number,
    keys: readonly string[],
    found: Map<string, FoundEntry | StepwellError>,
  ): void {
    for (const key of keys) {
      const line = findLine(text, key);
      if (line === undefined && isIntact(text, size)) continue;
      const entry = line === undefined ? undefined : parseEntry(codec, line);
      found.set(key, entry === undefined ? damaged(key, "The document") : { ...entry, size: (line ?? "").length });
    }
  }

  return {
    async find(segment, keys) {
      const index = await indexOf(segment);
      if (isStepwellError(index)) return new Map(keys.map((key) => [key, index]));
      const keysOfBlocks = new Map<number, string[]>();
      for (const key of keys) {
        if (!mayContain(index.filter, key)) continue;
        const block = blockOf(index, key);
        const others = keysOfBlocks.get(block);
        if (others === undefined) keysOfBlocks.set(block, [key]);
        else others.push(key);
      }
      const found = new Map<string, FoundEntry | StepwellError>();
      const readBlock = await openBlocks(segment, index, [...keysOfBlocks.keys()]);
      await forEachParallel(keysOfBlocks, async ([block, own]) => {
        const size = (index.blockStarts[block + 1] ?? 0) - (index.blockStarts[block] ?? 0);
        findInBlock((await readBlock(block)) ?? "", size, own, found);
      });
      return found;
    },

    async findLine(segment, key) {
      const index = await indexOf(segment);
      if (isStepwellError(index)) return index;
      if (!mayContain(index.filter, key)) return undefined;
      const block = blockOf(index, key);
      const [start = 0, end = 0] = [index.blockStarts[block], index.blockStarts[block + 1]];
      const bytes = await readBytes(segment, start, end);
      const line = findLineIn(bytes, key);
      if (line !== undefined) return line;
      return isIntact(new TextDecoder().decode(bytes), end - start) ? undefined : damaged(key, "The document");
    },

    async readAll(segment) {
      const text = await items.readAll(documentSegmentKey(segment.name));
      return text === null ? undefined : parseEntries(codec, segment, text);
    },

    get memory() {
      return indexes.calculatedSize + blocks.calculatedSize;
    },
  };
}
