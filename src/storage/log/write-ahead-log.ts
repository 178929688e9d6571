/**
 * The write-ahead log: numbered records, each with all commits of one flush. A commit is stored once its record is, for
 * its documents and rows together.
 *
 * Records stand in segments, each under the owner that wrote it and the number of its first record. On a driver that can
 * append, a segment grows until the log is cut; on any other, every record is a segment of its own. Where an append
 * failed, what it left at the end of its segment does not count: the record was written anew, as the first of another
 * segment.
 *
 * Each owner reads what the ones before it left, and writes to segments of its own. The manifest says which records of
 * earlier owners count: what such an owner adds later is never read.
 */
import { nanoid } from "nanoid";
import { damaged, StepwellError } from "../../errors.ts";
import { isRecord } from "../../json.ts";
import { isAlreadyExists } from "../../ports/driver.ts";
import type { RowChange } from "../../ports/store.ts";
import type { ChecksummedItems, ItemAppender, StoredItem } from "../driver/checksummed-items.ts";
import type { Ownership } from "../driver/ownership.ts";
import { forEachParallel } from "../driver/parallel.ts";
import type { CheckpointPacer } from "./checkpoint-pacing.ts";

/** A commit as logged: documents as key, version and document (both null: removed), and the changes of their rows. */
export interface LoggedCommit {
  readonly documents: readonly (readonly [string, number | null, object | null, (readonly RowChange[])?])[];
}

/** Records of an earlier owner that were found when the next one took over. */
export interface OwnerLog {
  readonly generation: number;
  /** Each by the number of its first record, in order. */
  readonly segments: readonly number[];
  /** The number behind its last record: what stands there was written too late. */
  readonly end: number;
}

/** Where records are to be read. */
export interface LogPosition {
  readonly earlier: readonly OwnerLog[];
  /** The last owner, whose records are read until none is left, and the number of its first one. */
  readonly generation: number;
  readonly first: number;
}

/** Where the log was cut. */
export interface Cut {
  /** The number of the record that comes next, the first of a new segment. */
  readonly next: number;
  /** The names of the segments in front of it. */
  readonly segments: readonly string[];
}

export interface WriteAheadLog {
  /** The number of the record that is written next. */
  readonly next: number;
  /** The records of earlier owners that were read, up to the first record of this owner. */
  readonly earlier: readonly OwnerLog[];
  /** Reads all records that count; what comes next is then known. */
  read(position: LogPosition): Promise<readonly LoggedCommit[]>;
  /** Stores commits, as JSON, in one record. @throws StepwellError `unavailable`; `next` stays as it is then */
  append(commits: readonly string[]): Promise<void>;
  /** Ends the segment, so that those in front can be removed one day. */
  cut(): Cut;
  /** @param turn Settles when the next may be removed */
  remove(segments: readonly string[], turn: CheckpointPacer["waitForTurn"]): Promise<void>;
  /** Makes sure that nobody finds, after a start, what an append that failed may have left behind. */
  settle(): Promise<void>;
}

export interface LogRecord {
  readonly owner: string;
  readonly attempt: number;
  readonly commits: readonly LoggedCommit[];
}

const NUMBER_DIGITS = 10;
/** Segments that are read at once at a start. */
const SEGMENTS_PER_READ = 32;

/** The name of a segment, and its key. */
const nameOf = (generation: number, number: number) => `${generation}.${String(number).padStart(NUMBER_DIGITS, "0")}`;
const keyOf = (name: string) => `log:${name}`;
export const segmentKey = (generation: number, number: number) => keyOf(nameOf(generation, number));

export function createWriteAheadLog(items: ChecksummedItems, ownership: Ownership): WriteAheadLog {
  /** Tells our records from those of another process that took over in the same moment. */
  const owner = nanoid();
  let next = 1;
  let attempt = 0;
  /** The next record may be there already: a write of ours failed. */
  let mayBeStored = false;
  /** It may be there at the end of a segment already: an append failed. */
  let mayBeAppended = false;
  /** The segment that the next record is appended to; null when it begins one. */
  let segment: { readonly key: string; writer: ItemAppender | null } | null = null;
  let segments: string[] = [];
  let earlier: readonly OwnerLog[] = [];

  const nextKey = () => segmentKey(ownership.generation, next);

  async function append(commits: readonly string[]): Promise<void> {
    ownership.check();
    attempt++;
    let all = "";
    for (const commit of commits) all += all === "" ? commit : `,${commit}`;
    const json = `{"owner":"${owner}","attempt":${attempt},"commits":[${all}]}`;
    try {
      if (segment === null) await begin(json);
      else await extend(segment, json);
    } catch (error) {
      if (segment === null) mayBeStored = true;
      else mayBeAppended = true;
      endSegment();
      throw error;
    }
    mayBeStored = false;
    mayBeAppended = false;
    next++;
  }

  async function begin(json: string): Promise<void> {
    const name = nameOf(ownership.generation, next);
    await create(keyOf(name), json);
    segments.push(name);
    if (items.openAppender !== null) segment = { key: keyOf(name), writer: null };
  }

  async function extend(open: NonNullable<typeof segment>, json: string): Promise<void> {
    open.writer ??= (await items.openAppender?.(open.key)) ?? null;
    await open.writer?.append(json);
  }

  function endSegment(): void {
    // What was written is safe already; a driver that cannot close it does so when it is let go of.
    segment?.writer?.close().catch(() => {});
    segment = null;
  }

  async function create(key: string, json: string): Promise<void> {
    try {
      await items.write(key, json, { exclusive: true });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const [[found = "missing", ...others] = []] = await items.findLines([key]);
      const record = recordOf(found);
      // A client that sends a write again after a lost answer meets its own; whether it still counts is to be asked.
      if (record?.owner === owner && record.attempt === attempt) return ownership.verify();
      const isOurs =
        others.length === 0 && (record !== null ? record.owner === owner : mayBeStored || found === "missing");
      if (!isOurs) throw ownedTwiceError(key);
      await items.write(key, json);
    }
  }

  /** The records that an earlier owner left, which must be there. */
  async function readOwnerLog({ generation, segments: numbers, end }: OwnerLog): Promise<LogRecord[]> {
    const reading = createLogReader(generation, numbers[0] ?? end, end);
    for (let at = 0; at < numbers.length; at += SEGMENTS_PER_READ) {
      await readSegments(reading, generation, numbers.slice(at, at + SEGMENTS_PER_READ));
    }
    if (reading.next !== end) throw damaged(segmentKey(generation, reading.next), "The log");
    return reading.records;
  }

  /** The records of the last owner, as many as there are. */
  async function readLastOwnerLog(generation: number, from: number): Promise<LogReader> {
    const reading = createLogReader(generation, from);
    for (let first = from; ; first = reading.next - 1) {
      const before = reading.next;
      await readSegments(
        reading,
        generation,
        Array.from({ length: SEGMENTS_PER_READ }, (_, index) => first + index),
      );
      if (reading.next === before) return reading;
    }
  }

  async function readSegments(reading: LogReader, generation: number, numbers: readonly number[]): Promise<void> {
    const found = await items.findLines(numbers.map((number) => segmentKey(generation, number)));
    for (const [index, number] of numbers.entries()) {
      const lines = found[index] ?? [];
      if (lines.length > 0 && number > (reading.segments.at(-1) ?? -1)) reading.take(number, lines);
    }
  }

  return {
    get next() {
      return next;
    },

    get earlier() {
      return earlier;
    },

    async read({ earlier: parts, generation, first }) {
      const found: LogRecord[][] = [];
      for (const part of parts) found.push(await readOwnerLog(part));
      const last = await readLastOwnerLog(generation, first);
      const records = [...found.flat(), ...last.records];
      next = last.next;
      earlier = last.segments.length === 0 ? parts : [...parts, { generation, segments: last.segments, end: next }];
      segments = earlier.flatMap((part) => part.segments.map((number) => nameOf(part.generation, number)));
      return records.flatMap(({ commits }) => commits);
    },

    append,

    cut() {
      const passed = segments;
      segments = [];
      earlier = [];
      endSegment();
      return { next, segments: passed };
    },

    remove: (names, turn) =>
      forEachParallel(names, async (name) => {
        await turn();
        await items.remove(keyOf(name));
      }),

    async settle() {
      if (ownership.isLost) return;
      if (mayBeAppended) await append([]);
      else if (mayBeStored) await items.remove(nextKey());
    },
  };
}

/** Records on the way from their segments. */
interface LogReader {
  readonly next: number;
  readonly records: LogRecord[];
  /** In order, also a torn one. */
  readonly segments: number[];
  take(number: number, lines: readonly StoredItem[]): void;
}

/** @param end Where reading stops. */
function createLogReader(generation: number, from: number, end = Number.POSITIVE_INFINITY): LogReader {
  const records: LogRecord[] = [];
  const segments: number[] = [];
  let next = from;

  return {
    get next() {
      return next;
    },
    records,
    segments,

    take(number, lines) {
      if (number !== next && number !== next - 1) throw damaged(segmentKey(generation, next), "The log");
      segments.push(number);
      const [head = "missing"] = lines;
      // A torn segment was promised to nobody, and leaves the record as it was in the one before.
      if (lines.length === 1 && recordOf(head) === null) return;
      // Written anew: what stands at the end of the segment before is of an append that failed.
      if (number === next - 1) records.pop();
      next = number;
      for (const [index, line] of lines.entries()) {
        if (next === end) break;
        const record = recordOf(line);
        if (record !== null) {
          records.push(record);
          next++;
        } else if (index < lines.length - 1) {
          // A torn record can only be the last of its segment, which nobody was promised.
          throw damaged(segmentKey(generation, number), "The log");
        }
      }
    },
  };
}

export function recordOf(found: StoredItem): LogRecord | null {
  return typeof found === "object" && isLogRecord(found.value) ? found.value : null;
}

/** The checksum says that it is what was written; this says that it was written as a record. */
function isLogRecord(value: unknown): value is LogRecord {
  return isRecord(value) && typeof value["owner"] === "string" && Array.isArray(value["commits"]);
}

function ownedTwiceError(key: string): StepwellError {
  return new StepwellError(
    "unavailable",
    `Another process took over this storage at the same time and wrote "${key}". Only one process at a time ` +
      "can own a storage. Stop the other process, then restart this one.",
  );
}
