/**
 * The checkpoint: moves what stands only in the log to where it stays, in the background, and lets the log start anew.
 *
 * Documents and lists first, then the manifest that says where the log starts now, then the old segments go. A crash
 * anywhere in between is harmless: the records that are still there are applied again, which changes nothing.
 */
import { isRecord } from "../json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Documents } from "./documents.ts";
import type { Lists } from "./lists.ts";
import type { Log } from "./log.ts";
import { createPace } from "./pace.ts";
import { createSlots } from "./slots.ts";
import type { Texts } from "./texts.ts";

export interface CheckpointLimits {
  /** Records after which one starts. */
  readonly records: number;
  /** Characters of records after which one starts. */
  readonly size: number;
}

export interface Checkpoint {
  /** Reads what the last one left: the number of the record that the log starts at. */
  read(): Promise<number>;
  /** Whether {@link read} found that there was one. */
  readonly isFound: boolean;
  /** To be called when a record was stored and applied. */
  after(size: number): void;
  /** Waits while the log is so far ahead of a checkpoint under way that commits must not make it longer. */
  room(): Promise<void>;
  /** Waits for the one under way, and makes a last one of what is left. Never rejects: the log has it all. */
  finish(): Promise<void>;
}

interface Manifest {
  /** The record that the log starts at. */
  readonly log: number;
  /** Segments in front of it that a crash may have left. */
  readonly obsolete: readonly number[];
}

/** Checkpoints that the log may be ahead before commits wait. */
const MAX_AHEAD = 4;

export function createCheckpoint(parts: {
  texts: Texts;
  documents: Documents;
  lists: Lists;
  log: Log;
  clock: Clock;
  logger: Logger;
  limits: CheckpointLimits;
}): Checkpoint {
  const { texts, documents, lists, log, logger, limits } = parts;
  const pace = createPace(parts.clock);
  const manifest = createSlots(texts, (slot) => `manifest:${slot}`, "The manifest", isManifest);
  let isFound = false;
  let start = 1;
  /** Segments in front of the start that are still to be removed. */
  let obsolete: readonly number[] = [];
  /** Segments from the start on up to the last cut. */
  let passed: number[] = [];
  /** What was logged since the last one was started. */
  let records = 0;
  let size = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    const cut = log.cut();
    for (const segment of cut.segments) passed.push(segment);
    records = 0;
    size = 0;
    const save = documents.startSave();
    pace.begin(save.size + obsolete.length + passed.length, limits.records / 2);
    try {
      await save.finish(pace.turn);
      await lists.save();
      await manifest.write({ log: cut.next, obsolete: [...obsolete, ...passed] });
      save.end(true);
    } catch (error) {
      save.end(false);
      logger.warn("A checkpoint failed; the log keeps what it could not store, and the next one tries again.", {
        error,
      });
      return;
    }
    start = cut.next;
    obsolete = [...obsolete, ...passed];
    passed = [];
    try {
      await log.remove(obsolete, pace.turn);
      obsolete = [];
    } catch (error) {
      logger.warn("Old records of the log could not be removed; the next checkpoint tries again.", { error });
    }
  }

  /** Begins one, unless one is under way. */
  function begin(): Promise<void> {
    running ??= run().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    async read() {
      const found = await manifest.read();
      isFound = found !== null;
      start = found?.log ?? 1;
      obsolete = found?.obsolete ?? [];
      return start;
    },

    get isFound() {
      return isFound;
    },

    after(added) {
      pace.tick();
      records++;
      size += added;
      if (running === null && (records >= limits.records || size >= limits.size)) void begin();
    },

    async room() {
      const ahead = () => records >= MAX_AHEAD * limits.records || size >= MAX_AHEAD * limits.size;
      if (running === null || !ahead()) return;
      pace.hurry();
      await running;
    },

    async finish() {
      pace.hurry();
      if (running !== null) await running;
      if (log.next <= start || log.fenced) return;
      const last = begin();
      pace.hurry();
      await last;
    },
  };
}

/** The checksum says that it is what was written; this says that it was written as a manifest. */
function isManifest(value: unknown): value is Manifest {
  return isRecord(value) && typeof value["log"] === "number" && Array.isArray(value["obsolete"]);
}
