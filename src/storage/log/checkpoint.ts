/**
 * The checkpoint: moves what stands only in the log to where it stays, in the background, and lets the log start anew.
 *
 * Documents and lists first, then the manifest that says where the log starts now, then the old segments go. A crash
 * anywhere in between is harmless: the records that are still there are applied again, which changes nothing.
 *
 * The manifest also says whose log it is. Each owner writes one before it stores anything.
 */
import { isRecord } from "../../json.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { DocumentCache, DocumentSave } from "../documents/document-cache.ts";
import type { ChecksummedItems } from "../driver/checksummed-items.ts";
import type { Ownership } from "../driver/ownership.ts";
import type { Lists } from "../lists/lists.ts";
import { type AbSlots, createAbSlots } from "./ab-slots.ts";
import { createCheckpointPacer } from "./checkpoint-pacing.ts";
import type { LogPosition, WriteAheadLog } from "./write-ahead-log.ts";

export interface CheckpointLimits {
  /** Records after which one starts. */
  readonly records: number;
  /** Characters of records after which one starts. */
  readonly size: number;
}

export interface Checkpoint {
  /** Reads what the last one left: where the log stands. */
  read(): Promise<LogPosition>;
  /** Whether {@link read} found that there was one. */
  readonly isFound: boolean;
  /** To be called when the log was read: from here on, what earlier owners add to it does not count. */
  begin(): Promise<void>;
  /** To be called when a record was stored and applied. */
  onRecord(size: number): void;
  /** Waits while the log is so far ahead of a checkpoint under way that commits must not make it longer. */
  waitForRoom(): Promise<void>;
  /** Waits for the one under way, and makes a last one of what is left. Never rejects: the log has it all. */
  finish(): Promise<void>;
}

export interface Manifest {
  /** The number of the record that the log starts at: all in front of it is where it stays. */
  readonly start: number;
  /** Where the log of the owner that wrote this begins, and what counts of those before. */
  readonly log: LogPosition;
  /** Segments in front of the start that a crash may have left. */
  readonly obsolete: readonly string[];
  /** Earlier owners, and where the log started when each was replaced. */
  readonly replaced: readonly (readonly [generation: number, start: number])[];
}

/** Earlier owners that are remembered. */
const MAX_REPLACED = 1_000;
/** Checkpoints that the log may be ahead before commits wait. */
const MAX_CHECKPOINTS_AHEAD = 4;

export function createManifest(items: ChecksummedItems): AbSlots<Manifest> {
  return createAbSlots(items, (slot) => `manifest:${slot}`, "The manifest", isManifest);
}

export function createCheckpoint(parts: {
  items: ChecksummedItems;
  documents: DocumentCache;
  lists: Lists;
  log: WriteAheadLog;
  ownership: Ownership;
  clock: Clock;
  logger: Logger;
  limits: CheckpointLimits;
}): Checkpoint {
  const { items, documents, lists, log, ownership, logger, limits } = parts;
  const pacer = createCheckpointPacer(parts.clock);
  const manifest = createManifest(items);
  let isFound = false;
  let start = 1;
  /** Segments in front of the start that are still to be removed. */
  let obsolete: readonly string[] = [];
  /** Segments from the start on up to the last cut. */
  let cutSegments: string[] = [];
  let replaced: Manifest["replaced"] = [];
  /** What was logged since the last one was started. */
  let records = 0;
  let size = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    const cut = log.cut();
    for (const segment of cut.segments) cutSegments.push(segment);
    records = 0;
    size = 0;
    const save = documents.startSave({ generation: ownership.generation, cut: cut.next });
    pacer.start(save.size + obsolete.length + cutSegments.length, limits.records / 2);
    try {
      await saveDocuments(save);
      await lists.save();
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
      await log.remove(obsolete, pacer.waitForTurn);
      obsolete = [];
    } catch (error) {
      if (ownership.isLost) return;
      logger.warn("could not delete old log records; the next checkpoint retries", { error });
    }
  }

  /**
   * Documents that were stored stay stored whatever becomes of the manifest. A manifest that fails may have landed: were
   * they stored anew, with the mark of a later cut, the next owner could start the log behind their records and take them
   * for fenced.
   */
  async function saveDocuments(save: DocumentSave): Promise<void> {
    try {
      await save.finish(pacer.waitForTurn);
    } catch (error) {
      save.end(false);
      throw error;
    }
    save.end(true);
  }

  async function writeManifest(given: Pick<Manifest, "start" | "obsolete"> & Omit<LogPosition, "generation">) {
    const { first, earlier, ...rest } = given;
    await manifest.write({ ...rest, log: { generation: ownership.generation, first, earlier }, replaced });
  }

  /** Starts one, unless one is running. */
  function startUnlessRunning(): Promise<void> {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    async read() {
      const found = await manifest.read();
      isFound = found !== null;
      if (found === null) return { earlier: [], generation: 0, first: start };
      start = found.start;
      obsolete = found.obsolete;
      const { generation } = found.log;
      // An opening that is tried again finds what it wrote itself.
      replaced =
        generation === ownership.generation
          ? found.replaced
          : [...found.replaced, [generation, start] as const].slice(-MAX_REPLACED);
      documents.ignoreFenced(new Map(replaced));
      return found.log;
    },

    get isFound() {
      return isFound;
    },

    begin: () => writeManifest({ start, first: log.next, earlier: log.earlier, obsolete }),

    onRecord(added) {
      pacer.onCommit();
      records++;
      size += added;
      if (running === null && (records >= limits.records || size >= limits.size)) void startUnlessRunning();
    },

    async waitForRoom() {
      const ahead = () =>
        records >= MAX_CHECKPOINTS_AHEAD * limits.records || size >= MAX_CHECKPOINTS_AHEAD * limits.size;
      if (running === null || !ahead()) return;
      pacer.stopPacing();
      await running;
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

/** The checksum says that it is what was written; this says that it was written as a manifest. */
function isManifest(value: unknown): value is Manifest {
  return isRecord(value) && typeof value["start"] === "number" && isRecord(value["log"]);
}
