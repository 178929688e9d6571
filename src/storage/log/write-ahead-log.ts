/**
 * The write-ahead log: numbered log records. A record holds all commits of one flush. A commit is stored once its record
 * is, with all its documents and rows.
 *
 * Records are stored in segments, named by the owner's generation and the number of the first record. If the driver
 * supports appending, a segment grows until the log is cut; otherwise every record is a segment. What a failed append
 * leaves at the end of a segment doesn't count: the record is written again as the first of a new segment.
 *
 * Each owner reads the records of earlier owners and writes to separate segments. The manifest says which records of
 * earlier owners count. Records that an earlier owner adds later are never read.
 */
import { damaged, StepwellError } from "../../errors.ts";
import { isRecord } from "../../json.ts";
import { isAlreadyExists } from "../../ports/driver.ts";
import type { Ids } from "../../ports/ids.ts";
import type { RowChange } from "../../ports/store.ts";
import type { ChecksummedItems, ItemAppender, StoredItem } from "../driver/checksummed-items.ts";
import type { Ownership } from "../driver/ownership.ts";

/**
 * A logged commit. Each document is its key, version, content and row changes; version and content are null if deleted.
 */
export interface LoggedCommit {
  readonly documents: readonly (readonly [string, number | null, object | null, (readonly RowChange[])?])[];
  /** Changes of derived lists. Omitted if there are none. */
  readonly derived?: readonly RowChange[];
  /** Whether documents keep the rows that they have, also those with version 1. Omitted unless they do. */
  readonly keepsRows?: boolean;
}

/** Records of an earlier owner that its successor found. */
export interface OwnerLog {
  readonly generation: number;
  /** Numbers of the first record in each segment, in order. */
  readonly segments: readonly number[];
  /** Number after the last record. Records from there on were written too late. */
  readonly end: number;
}

/** Which records to read. */
export interface LogPosition {
  readonly earlier: readonly OwnerLog[];
  /** Generation of the last owner, and number of its first record. All its records are read. */
  readonly generation: number;
  readonly first: number;
}

/** The result of cutting the log. */
export interface Cut {
  /** Number of the next record, which begins a new segment. */
  readonly next: number;
  /** Keys of the segments before it. */
  readonly segments: readonly string[];
}

export interface WriteAheadLog {
  /** Number of the next record. */
  readonly next: number;
  /** The records of earlier owners that were read, up to this owner's first record. */
  readonly earlier: readonly OwnerLog[];
  /** Reads all records that count, and sets `next`. */
  read(position: LogPosition): Promise<readonly LoggedCommit[]>;
  /**
   * Stores commits, serialized as JSON, in one record.
   * @throws StepwellError `unavailable`; `next` doesn't change then.
   */
  append(commits: readonly string[]): Promise<void>;
  /** Ends the segment, so that it can be deleted later with those before it. */
  cut(): Cut;
  /** Ensures that the next start doesn't find what a failed append may have left behind. */
  settle(): Promise<void>;
}

export interface LogRecord {
  readonly owner: string;
  readonly attempt: number;
  readonly commits: readonly LoggedCommit[];
}

const NUMBER_DIGITS = 10;
/** Number of segments read at once at startup. */
const SEGMENTS_PER_READ = 32;

export const segmentKey = (generation: number, number: number) =>
  `log:${generation}.${String(number).padStart(NUMBER_DIGITS, "0")}`;

export function createWriteAheadLog(items: ChecksummedItems, ownership: Ownership, ids: Ids): WriteAheadLog {
  /** Distinguishes this process's records from those of another that took over simultaneously. */
  const owner = ids.next("log");
  let next = 1;
  let attempt = 0;
  /** Whether the next record may exist already, because a write failed. */
  let mayBeStored = false;
  /** Whether it may exist at the end of a segment, because an append failed. */
  let mayBeAppended = false;
  /** The segment to append to, or null if the next record begins a new one. */
  let segment: { readonly key: string; writer: ItemAppender | null } | null = null;
  /** Keys of the segments since the last cut. */
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
      if (segment === null) await beginSegment(json);
      else await appendToSegment(segment, json);
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

  async function beginSegment(json: string): Promise<void> {
    const key = nextKey();
    await createSegment(key, json);
    segments.push(key);
    if (items.openAppender !== null) segment = { key, writer: null };
  }

  async function appendToSegment(open: NonNullable<typeof segment>, json: string): Promise<void> {
    open.writer ??= (await items.openAppender?.(open.key)) ?? null;
    await open.writer?.append(json);
  }

  function endSegment(): void {
    // Everything written is durable. If closing fails, the driver releases the item when it is garbage-collected.
    segment?.writer?.close().catch(() => {});
    segment = null;
  }

  async function createSegment(key: string, json: string): Promise<void> {
    try {
      await items.write(key, json, { exclusive: true });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const [[found = "missing", ...others] = []] = await items.findLines([key]);
      const record = recordOf(found);
      // A client that repeats a write after a lost answer finds its own record. Check that it still counts.
      if (record?.owner === owner && record.attempt === attempt) return ownership.verify();
      const isOwnRecord =
        others.length === 0 && (record !== null ? record.owner === owner : mayBeStored || found === "missing");
      if (!isOwnRecord) throw concurrentTakeoverError(key);
      await items.write(key, json);
    }
  }

  /** Reads the records of an earlier owner. Fails if any is missing. */
  async function readOwnerLog({ generation, segments: numbers, end }: OwnerLog): Promise<LogRecord[]> {
    const reader = createLogReader(generation, numbers[0] ?? end, end);
    for (let at = 0; at < numbers.length; at += SEGMENTS_PER_READ) {
      await readSegments(reader, generation, numbers.slice(at, at + SEGMENTS_PER_READ));
    }
    if (reader.next !== end) throw damaged(segmentKey(generation, reader.next), "The log");
    return reader.records;
  }

  /** Reads all records of the last owner. */
  async function readLastOwnerLog(generation: number, from: number): Promise<LogReader> {
    const reader = createLogReader(generation, from);
    for (let first = from; ; first = reader.next - 1) {
      const before = reader.next;
      await readSegments(
        reader,
        generation,
        Array.from({ length: SEGMENTS_PER_READ }, (_, index) => first + index),
      );
      if (reader.next === before) return reader;
    }
  }

  async function readSegments(reader: LogReader, generation: number, numbers: readonly number[]): Promise<void> {
    const found = await items.findLines(numbers.map((number) => segmentKey(generation, number)));
    for (const [index, number] of numbers.entries()) {
      const lines = found[index] ?? [];
      if (lines.length > 0 && number > (reader.segments.at(-1) ?? -1)) reader.addSegment(number, lines);
    }
  }

  return {
    get next() {
      return next;
    },

    get earlier() {
      return earlier;
    },

    async read({ earlier: ownerLogs, generation, first }) {
      const found: LogRecord[][] = [];
      for (const ownerLog of ownerLogs) found.push(await readOwnerLog(ownerLog));
      const last = await readLastOwnerLog(generation, first);
      const records = [...found.flat(), ...last.records];
      next = last.next;
      earlier =
        last.segments.length === 0 ? ownerLogs : [...ownerLogs, { generation, segments: last.segments, end: next }];
      segments = earlier.flatMap((ownerLog) =>
        ownerLog.segments.map((number) => segmentKey(ownerLog.generation, number)),
      );
      return records.flatMap(({ commits }) => commits);
    },

    append,

    cut() {
      const cutSegments = segments;
      segments = [];
      earlier = [];
      endSegment();
      return { next, segments: cutSegments };
    },

    async settle() {
      if (ownership.isLost) return;
      if (mayBeAppended) await append([]);
      else if (mayBeStored) await items.remove(nextKey());
    },
  };
}

/** Collects records while reading segments. */
interface LogReader {
  readonly next: number;
  readonly records: LogRecord[];
  /** Numbers of the segments in order, including torn ones. */
  readonly segments: number[];
  addSegment(number: number, lines: readonly StoredItem[]): void;
}

/** @param end Number of the record to stop at. */
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

    addSegment(number, lines) {
      if (number !== next && number !== next - 1) throw damaged(segmentKey(generation, next), "The log");
      segments.push(number);
      const [head = "missing"] = lines;
      // A torn segment was never acknowledged. It leaves the record at the end of the previous segment in place.
      if (lines.length === 1 && recordOf(head) === null) return;
      // The record was written again. The previous segment ends with what a failed append left behind.
      if (number === next - 1) records.pop();
      next = number;
      for (const [index, line] of lines.entries()) {
        if (next === end) break;
        const record = recordOf(line);
        if (record !== null) {
          records.push(record);
          next++;
        } else if (index < lines.length - 1) {
          // Only the last record of a segment may be torn, because it was never acknowledged.
          throw damaged(segmentKey(generation, number), "The log");
        }
      }
    },
  };
}

export function recordOf(found: StoredItem): LogRecord | null {
  return typeof found === "object" && isLogRecord(found.value) ? found.value : null;
}

/** The checksum proves that the value is intact. This checks that it is a record. */
function isLogRecord(value: unknown): value is LogRecord {
  return isRecord(value) && typeof value["owner"] === "string" && Array.isArray(value["commits"]);
}

function concurrentTakeoverError(key: string): StepwellError {
  return new StepwellError(
    "unavailable",
    `Another process took over this storage at the same time and wrote "${key}". Only one process at a time ` +
      "can own a storage. Stop the other process, then restart this one.",
  );
}
