/** The documents that checkpoints have stored, in levels of segments. */
import { isStepwellError, type StepwellError } from "../../errors.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import type { Ownership } from "../driver/ownership.ts";
import { forEachParallel } from "../driver/parallel.ts";
import type { CheckpointTurns } from "../log/checkpoint-pacing.ts";
import { compact } from "./compaction.ts";
import type { Entry } from "./entry.ts";
import { type Level, type Levels, segmentOf } from "./levels.ts";
import { isFull, splitIntoSegments } from "./merge-entries.ts";
import { documentSegmentKey, formatSegment, type Segment } from "./segment.ts";
import { createSegmentReader, type FoundEntry } from "./segment-reader.ts";

export interface DocumentSegments {
  /** What counts. */
  readonly levels: Levels;
  /** Reads these from now on: the manifest names them. */
  use(levels: Levels): void;
  /**
   * Returns the latest entries of keys, which may be deletions. Nothing for a key that has none. An error, without throwing
   * it, for one that is damaged.
   */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, FoundEntry | StepwellError>>;
  /** Returns the bytes of the latest line of a key, which is not checked. Undefined if it has none. An error, without throwing it, for damage. */
  findLine(key: string): Promise<Uint8Array | StepwellError | undefined>;
  /**
   * Stores entries in a new level, and compacts the others. They count once the manifest names the result.
   * @param batches In ascending order of their keys.
   */
  store(batches: AsyncIterable<readonly Entry[]>, turns: CheckpointTurns): Promise<StoredLevels>;
  /** Returns all entries of a segment, whose lines are not checked. Undefined if the segment is damaged or missing. */
  readAll(segment: Segment): Promise<readonly Entry[] | undefined>;
  /** Writes entries, in ascending order of their keys, to new segments. */
  write(entries: readonly Entry[], turns: CheckpointTurns): Promise<readonly Segment[]>;
  /** Forgets what {@link store} has stored, because the manifest could not be written. Returns the keys of the items. */
  takeUnused(): readonly string[];
  /** Number of the next segment that this owner writes. */
  readonly nextNumber: number;
  /** Finds segments that an earlier owner wrote from a number on. Returns the keys of their items. */
  findFrom(generation: number, number: number): Promise<readonly string[]>;
  /** Memory that indexes and blocks take, in bytes, roughly. */
  readonly memory: number;
}

export interface StoredLevels {
  readonly levels: Levels;
  /** Keys of the items that don't count anymore then. */
  readonly obsolete: readonly string[];
}

/** Maximum number of consecutive segments whose writes failed. */
const MAX_LEFT_OUT = 2;

export function createDocumentSegments(items: ChecksummedItems, ownership: Ownership): DocumentSegments {
  const reader = createSegmentReader(items);
  let levels: Levels = [];
  /** Number of segments written by this owner. */
  let segmentsWritten = 0;
  /** Names of segments that may exist and don't count yet. */
  let written: string[] = [];

  async function write(entries: readonly Entry[], turns: CheckpointTurns): Promise<readonly Segment[]> {
    const segments: Segment[] = [];
    for (const part of splitIntoSegments(entries)) {
      await turns.call();
      const name = `${ownership.generation}.${segmentsWritten++}`;
      const { segment, text } = formatSegment(items.codec, name, part);
      await turns.work(text.length);
      written.push(name);
      await items.segments.create(documentSegmentKey(name), text);
      segments.push(segment);
    }
    return segments;
  }

  async function writeLevel(batches: AsyncIterable<readonly Entry[]>, turns: CheckpointTurns): Promise<Segment[]> {
    const level: Segment[] = [];
    let entries: Entry[] = [];
    let size = 0;
    for await (const batch of batches) {
      for (const entry of batch) {
        if (entries.length > 0 && isFull(entries, size + entry.line.length)) {
          level.push(...(await write(entries, turns)));
          entries = [];
          size = 0;
        }
        entries.push(entry);
        size += entry.line.length + 1;
      }
    }
    level.push(...(await write(entries, turns)));
    return level;
  }

  return {
    get levels() {
      return levels;
    },

    readAll: reader.readAll,

    use(next) {
      levels = next;
      written = [];
    },

    async find(keys) {
      const all = new Map<string, FoundEntry | StepwellError>();
      for (const level of levels) {
        const keysOfSegments = groupBySegment(
          level,
          keys.filter((key) => !all.has(key)),
        );
        await forEachParallel(keysOfSegments, async ([segment, own]) => {
          for (const [key, entry] of await reader.find(segment, own)) all.set(key, entry);
        });
        if (all.size === keys.length) break;
      }
      // A new owner removes segments by compaction. To the one before, they seem to be lost.
      if ([...all.values()].some((entry) => isStepwellError(entry))) await ownership.verify();
      return all;
    },

    async findLine(key) {
      for (const level of levels) {
        const segment = segmentOf(level, key);
        const line = segment === undefined ? undefined : await reader.findLine(segment, key);
        if (isStepwellError(line)) await ownership.verify();
        if (line !== undefined) return line;
      }
      return undefined;
    },

    write,

    async store(batches, turns) {
      const level = await writeLevel(batches, turns);
      const next = await compact({
        levels: level.length === 0 ? levels : [level, ...levels],
        reader,
        write: (entries) => write(entries, turns),
        turns,
      });
      const used = new Set(namesIn(next));
      const obsolete = [...namesIn(levels), ...written].filter((name) => !used.has(name));
      return { levels: next, obsolete: obsolete.map(documentSegmentKey) };
    },

    takeUnused() {
      const unused = written.map(documentSegmentKey);
      written = [];
      return unused;
    },

    get nextNumber() {
      return segmentsWritten;
    },

    async findFrom(generation, first) {
      const found: string[] = [];
      // Segments are written one after the other. A number is left out if its write failed.
      for (let number = first, missing = 0; missing < MAX_LEFT_OUT; number++) {
        const key = documentSegmentKey(`${generation}.${number}`);
        if (await items.segments.has(key)) found.push(key);
        missing = found.at(-1) === key ? 0 : missing + 1;
      }
      return found;
    },

    get memory() {
      return reader.memory;
    },
  };
}

/** The segments of a level that may have any of the keys. */
function groupBySegment(level: Level, keys: readonly string[]): ReadonlyMap<Segment, readonly string[]> {
  const groups = new Map<Segment, string[]>();
  for (const key of keys) {
    const segment = segmentOf(level, key);
    const others = segment === undefined ? undefined : groups.get(segment);
    if (others !== undefined) others.push(key);
    else if (segment !== undefined) groups.set(segment, [key]);
  }
  return groups;
}

const namesIn = (levels: Levels) => levels.flatMap((level) => level.map(({ name }) => name));
