/**
 * The checkpoint: writes what exists only in the log to documents and lists in the background, and cuts the log.
 *
 * It stores documents and lists first. Then it writes the manifest, which names the segments of documents that count from
 * then on and the new start of the log, and then deletes what doesn't count anymore. A crash before the manifest changes
 * nothing of documents. Rows of records that still exist are applied to lists again, which changes nothing either.
 *
 * The manifest also names the owner of the log. Each owner writes a manifest before it stores anything.
 */
import { damaged } from "../../errors.ts";
import { isRecord } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { DocumentCache } from "../documents/document-cache.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import type { Ownership } from "../driver/ownership.ts";
import { forEachParallel } from "../driver/parallel.ts";
import type { Lists } from "../lists/lists.ts";
import type { DocumentSegments } from "../segments/document-segments.ts";
import type { Levels } from "../segments/levels.ts";
import { MAX_SEGMENT_SIZE } from "../segments/merge-entries.ts";
import { type CheckpointTurns, createCheckpointPacer } from "./checkpoint-pacing.ts";
import type { EventLoopBudget } from "./event-loop-budget.ts";
import { createMirroredItem, type MirroredItem } from "./mirrored-item.ts";
import type { LogPosition, WriteAheadLog } from "./write-ahead-log.ts";

export interface CheckpointLimits {
  /** Number of records after which a checkpoint starts. */
  readonly records: number;
  /** Total length of records, in characters, after which a checkpoint starts. */
  readonly size: number;
}

export interface Checkpoint {
  /**
   * Reads the manifest of the last checkpoint, which says where the log starts. Takes the storage over again if the
   * manifest names a later owner than the driver does.
   */
  read(): Promise<LogPosition>;
  /** Whether {@link read} found a manifest. */
  readonly hasManifest: boolean;
  /** Whether {@link read} found that a checkpoint has completed, which stores the names of all lists. */
  readonly hasCompleted: boolean;
  /**
   * Call this after reading the log. Records that earlier owners add afterwards don't count.
   * @throws StepwellError `unavailable` if the manifest is of an earlier checkpoint than segments that its owner wrote
   */
  begin(): Promise<void>;
  /** Call this after storing and applying a record. */
  onRecord(size: number): void;
  /** Waits if the log has grown too far ahead of the checkpoint in progress: the longer, the further it is ahead. */
  throttle(): Promise<void>;
  /** Waits for the checkpoint in progress, then runs a last one if needed. Never rejects: the log has everything. */
  finish(): Promise<void>;
  /** Why the last checkpoint failed. Null if it did not. */
  readonly failure: unknown;
}

export interface Manifest {
  /** Number of the first record in the log. Everything before it is in documents and lists. */
  readonly start: number;
  /** Where the log of this manifest's owner begins, and which records of earlier owners count. */
  readonly log: LogPosition;
  /** The segments with all documents at the start of the log. */
  readonly documents: Levels;
  /** Number of the next segment that this manifest's owner writes. From there on, none counts. */
  readonly nextSegment: number;
  /** Keys of items that don't count anymore, which a crash may have left behind. */
  readonly obsolete: readonly string[];
}

/** Roughly how many calls a segment of new documents takes, with those that merge it. */
const CALLS_PER_SEGMENT = 4;
/**
 * Commits begin to wait for the checkpoint in progress when the log exceeds the limits by the first factor, and wait for all
 * of it at the second.
 */
const SLOW_LIMIT_FACTOR = 2;
const MAX_LIMIT_FACTOR = 4;

export function createManifest(items: ChecksummedItems): MirroredItem<Manifest> {
  return createMirroredItem(items, (copy) => `manifest:${copy}`, "The manifest", isManifest);
}

export function createCheckpoint(parts: {
  items: ChecksummedItems;
  segments: DocumentSegments;
  documents: DocumentCache;
  lists: Lists;
  log: WriteAheadLog;
  ownership: Ownership;
  clock: Clock;
  logger: Logger;
  eventLoop: EventLoopBudget;
  limits: CheckpointLimits;
}): Checkpoint {
  const { items, segments, documents, lists, log, ownership, logger, eventLoop, limits } = parts;
  const pacer = createCheckpointPacer(parts.clock);
  const manifest = createManifest(items);
  let hasManifest = false;
  /** Keys of segments that the owner of the manifest wrote after it. */
  let unfinished: readonly string[] = [];
  /** Whether this owner may have written a manifest. */
  let hasBegun = false;
  let start = 1;
  /** Keys of items that don't count and are not deleted yet. */
  let obsolete: readonly string[] = [];
  /** Keys of the log segments from the start up to the last cut. */
  let cutSegments: string[] = [];
  /** Records logged since the last checkpoint started. */
  let records = 0;
  let size = 0;
  let running: Promise<void> | null = null;
  let failure: unknown = null;

  const turns: CheckpointTurns = {
    async call() {
      await pacer.waitForTurn();
      eventLoop.spend(1, 0);
      await eventLoop.nextTurnIfSpent();
    },
    // A driver in memory never lets the event loop turn by itself.
    async work(characters) {
      eventLoop.spend(0, characters);
      await eventLoop.nextTurnIfSpent();
    },
  };

  async function run(): Promise<void> {
    const cut = log.cut();
    for (const segment of cut.segments) cutSegments.push(segment);
    records = 0;
    size = 0;
    const save = documents.startSave([ownership.generation, cut.next]);
    const calls = CALLS_PER_SEGMENT * Math.ceil(save.size / MAX_SEGMENT_SIZE) + lists.countChanged();
    pacer.start(calls + obsolete.length + cutSegments.length);
    try {
      const stored = await segments.store(save.entries(turns), turns);
      await lists.save(turns.call);
      const removed = [...obsolete, ...stored.obsolete, ...cutSegments];
      await writeManifest({ start: cut.next, log: ownLog(cut.next), documents: stored.levels, obsolete: removed });
      segments.use(stored.levels);
      save.end(true);
      failure = null;
      start = cut.next;
      obsolete = removed;
      cutSegments = [];
    } catch (error) {
      save.end(false);
      failure = error;
      // The manifest may have taken effect. Only after the next one, it is certain that these don't count.
      obsolete = [...obsolete, ...segments.takeUnused()];
      if (ownership.isLost) return;
      logger.warn("a checkpoint failed; the log keeps its records and the next checkpoint retries", { error });
      return;
    }
    await removeObsolete();
  }

  async function removeObsolete(): Promise<void> {
    try {
      await forEachParallel(obsolete, async (key) => {
        await turns.call();
        await items.remove(key);
      });
      obsolete = [];
    } catch (error) {
      if (ownership.isLost) return;
      logger.warn("could not delete old log records and documents; the next checkpoint retries", { error });
    }
  }

  function writeManifest(rest: Omit<Manifest, "nextSegment">): Promise<void> {
    return manifest.write({ ...rest, nextSegment: segments.nextNumber });
  }

  const ownLog = (first: number, earlier: LogPosition["earlier"] = []): LogPosition => {
    return { generation: ownership.generation, first, earlier };
  };

  /**
   * The generation identifies the items that an owner wrote, so this owner's must exceed all others. A driver may have
   * lost its count of owners: it was deleted or torn, or is missing in a copy of the storage.
   */
  async function readAsLatestOwner(): Promise<Manifest | null> {
    for (;;) {
      const found = await manifest.read();
      const latest = found?.log.generation ?? 0;
      const { generation } = ownership;
      if (latest < generation || (hasBegun && latest === generation)) return found;
      // Rejects if that owner has taken over meanwhile.
      await ownership.verify();
      logger.warn("the storage driver lost its owner generation; taking over the storage again", {
        generation,
        latest,
      });
      await ownership.take(latest);
      hasBegun = false;
    }
  }

  /** Starts a checkpoint unless one is in progress. */
  function startUnlessRunning(): Promise<void> {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    async read() {
      const found = await readAsLatestOwner();
      hasManifest = found !== null;
      if (found === null) return { earlier: [], generation: 0, first: start };
      start = found.start;
      // A process that died in a checkpoint has left segments that no manifest names.
      unfinished = await segments.findFrom(found.log.generation, found.nextSegment);
      obsolete = [...found.obsolete, ...unfinished];
      segments.use(found.documents);
      return found.log;
    },

    get failure() {
      return failure;
    },

    get hasManifest() {
      return hasManifest;
    },

    get hasCompleted() {
      return start > 1;
    },

    async begin() {
      // The log has all records of a checkpoint that was cut off. Without any, the checkpoint has completed.
      if (unfinished.length > 0 && log.next <= start) throw damaged("manifest:a", "The manifest");
      hasBegun = true;
      await writeManifest({ start, log: ownLog(log.next, log.earlier), documents: segments.levels, obsolete });
    },

    onRecord(added) {
      pacer.onRecord(Math.max(1 / limits.records, added / limits.size));
      records++;
      size += added;
      if (running === null && (records >= limits.records || size >= limits.size)) void startUnlessRunning();
    },

    async throttle() {
      const factor = Math.max(records / limits.records, size / limits.size);
      if (running === null || factor < SLOW_LIMIT_FACTOR) return;
      pacer.stopPacing();
      if (factor >= MAX_LIMIT_FACTOR) return running;
      const share = (factor - SLOW_LIMIT_FACTOR) / (MAX_LIMIT_FACTOR - SLOW_LIMIT_FACTOR);
      await Promise.race([running, pacer.waitForProgress(share)]);
    },

    async finish() {
      pacer.stopPacing();
      if (running !== null) await running;
      if (log.next <= start || ownership.isLost) return;
      const last = startUnlessRunning();
      pacer.stopPacing();
      await last;
    },
  };
}

/** The checksum proves that the value is intact. This checks that it is a manifest. */
function isManifest(value: unknown): value is Manifest {
  return (
    isRecord(value) && typeof value["start"] === "number" && isRecord(value["log"]) && Array.isArray(value["documents"])
  );
}
