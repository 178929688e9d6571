/**
 * The checkpoint: writes what exists only in the log to documents and lists in the background, and cuts the log.
 *
 * It stores documents and lists first, then the manifest with the new start of the log, and then deletes the old
 * segments. A crash anywhere in between is harmless: records that still exist are applied again, which changes nothing.
 *
 * The manifest also names the owner of the log. Each owner writes a manifest before it stores anything.
 */
import { isRecord } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { DocumentCache, DocumentSave } from "../documents/document-cache.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import type { Ownership } from "../driver/ownership.ts";
import type { Lists } from "../lists/lists.ts";
import { createCheckpointPacer } from "./checkpoint-pacing.ts";
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
  /** Call this after reading the log. Records that earlier owners add afterwards don't count. */
  begin(): Promise<void>;
  /** Call this after storing and applying a record. */
  onRecord(size: number): void;
  /** Waits if the log has grown too far ahead of the checkpoint in progress: the longer, the further it is ahead. */
  throttle(): Promise<void>;
  /** Waits for the checkpoint in progress, then runs a last one if needed. Never rejects: the log has everything. */
  finish(): Promise<void>;
}

export interface Manifest {
  /** Number of the first record in the log. Everything before it is in documents and lists. */
  readonly start: number;
  /** Where the log of this manifest's owner begins, and which records of earlier owners count. */
  readonly log: LogPosition;
  /** Segments before the start that a crash may have left behind. */
  readonly obsolete: readonly string[];
  /** Earlier owners, and the start of the log when each was replaced. */
  readonly replaced: readonly (readonly [generation: number, start: number])[];
}

/** Maximum number of earlier owners to remember. */
const MAX_REPLACED_OWNERS = 1_000;
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
  documents: DocumentCache;
  lists: Lists;
  log: WriteAheadLog;
  ownership: Ownership;
  clock: Clock;
  logger: Logger;
  eventLoop: EventLoopBudget;
  limits: CheckpointLimits;
}): Checkpoint {
  const { items, documents, lists, log, ownership, logger, eventLoop, limits } = parts;
  const pacer = createCheckpointPacer(parts.clock);
  const manifest = createManifest(items);
  let hasManifest = false;
  /** Whether this owner may have written a manifest. */
  let hasBegun = false;
  let start = 1;
  /** Segments before the start that are not deleted yet. */
  let obsolete: readonly string[] = [];
  /** Segments from the start up to the last cut. */
  let cutSegments: string[] = [];
  let replaced: Manifest["replaced"] = [];
  /** Records logged since the last checkpoint started. */
  let records = 0;
  let size = 0;
  let running: Promise<void> | null = null;

  /** Resolves when one more item may be stored. A driver in memory never lets the event loop turn by itself. */
  async function waitForTurn(): Promise<void> {
    await pacer.waitForTurn();
    const turn = eventLoop.nextTurnIfSpent();
    if (turn !== null) await turn;
    eventLoop.spend(1, 0);
  }

  async function run(): Promise<void> {
    const cut = log.cut();
    for (const segment of cut.segments) cutSegments.push(segment);
    records = 0;
    size = 0;
    const save = documents.startSave({ generation: ownership.generation, cut: cut.next });
    pacer.start(save.size + lists.countChanged() + obsolete.length + cutSegments.length);
    try {
      await saveDocuments(save);
      await lists.save(waitForTurn);
      await writeManifest({ start: cut.next, first: cut.next, earlier: [], obsolete: [...obsolete, ...cutSegments] });
    } catch (error) {
      if (ownership.isLost) return;
      logger.warn("a checkpoint failed; the log keeps its records and the next checkpoint retries", {
        error,
      });
      return;
    }
    start = cut.next;
    obsolete = [...obsolete, ...cutSegments];
    cutSegments = [];
    try {
      await log.remove(obsolete, waitForTurn);
      obsolete = [];
    } catch (error) {
      if (ownership.isLost) return;
      logger.warn("could not delete old log records; the next checkpoint retries", { error });
    }
  }

  /**
   * Saves the documents. They count as stored even if writing the manifest fails, because that write may have taken
   * effect. If stored again, they would get the mark of a later cut. The next owner could then start the log after their
   * records and treat them as fenced.
   */
  async function saveDocuments(save: DocumentSave): Promise<void> {
    try {
      await save.finish(waitForTurn);
    } catch (error) {
      save.end(false);
      throw error;
    }
    save.end(true);
  }

  async function writeManifest(update: Pick<Manifest, "start" | "obsolete"> & Omit<LogPosition, "generation">) {
    const { first, earlier, ...rest } = update;
    await manifest.write({ ...rest, log: { generation: ownership.generation, first, earlier }, replaced });
  }

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
      obsolete = found.obsolete;
      const { generation } = found.log;
      // A retried opening finds the manifest that it wrote itself.
      replaced =
        generation === ownership.generation
          ? found.replaced
          : [...found.replaced, [generation, start] as const].slice(-MAX_REPLACED_OWNERS);
      documents.ignoreFenced(new Map(replaced));
      return found.log;
    },

    get hasManifest() {
      return hasManifest;
    },

    begin() {
      hasBegun = true;
      return writeManifest({ start, first: log.next, earlier: log.earlier, obsolete });
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
  return isRecord(value) && typeof value["start"] === "number" && isRecord(value["log"]);
}
