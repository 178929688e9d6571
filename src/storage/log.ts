/**
 * The write-ahead log: numbered records, each with all commits of one flush. A commit is stored once its record is, for
 * its documents and rows together.
 *
 * Records stand in segments, each under the number of its first record. On a driver that can append, a segment grows
 * until the log is cut; on any other, every record is a segment of its own. Where an append failed, what it left at the
 * end of its segment does not count: the record was written anew, as the first of another segment.
 */
import { nanoid } from "nanoid";
import { StepwellError } from "../errors.ts";
import { isRecord } from "../json.ts";
import { isAlreadyExists } from "../ports/driver.ts";
import type { RowChange } from "../ports/store.ts";
import type { Pace } from "./pace.ts";
import { parallel } from "./parallel.ts";
import { damaged, type Found, type Texts, type TextWriter } from "./texts.ts";

/** A commit as logged: documents as key, version and document (both null: removed), and rows. */
export interface LoggedCommit {
  readonly documents: readonly (readonly [string, number | null, object | null])[];
  readonly rows: readonly RowChange[];
}

/** Where the log was cut. */
export interface Cut {
  /** The number of the record that comes next, the first of a new segment. */
  readonly next: number;
  /** The segments in front of it. */
  readonly segments: readonly number[];
}

export interface Log {
  /** The number of the record that is written next. */
  readonly next: number;
  /** Another process has written to the storage: nothing of ours may go there any more. */
  readonly fenced: boolean;
  /** Reads every record from a number on, with which a segment begins; what comes next is then known. */
  read(from: number): Promise<readonly LoggedCommit[]>;
  /** Stores commits, as JSON, in one record. @throws StepwellError `unavailable`; `next` stays as it is then */
  append(commits: readonly string[]): Promise<void>;
  /** Ends the segment, so that those in front can be removed one day. */
  cut(): Cut;
  /** @param turn Settles when the next may be removed */
  remove(segments: readonly number[], turn: Pace["turn"]): Promise<void>;
  /** Makes sure that nobody finds, after a start, what an append that failed may have left behind. */
  settle(): Promise<void>;
}

interface LogRecord {
  readonly owner: string;
  readonly attempt: number;
  readonly commits: readonly LoggedCommit[];
}

const DIGITS = 10;
/** Segments that are read at once at a start. */
const READ_AHEAD = 32;

const keyOf = (number: number) => `log:${String(number).padStart(DIGITS, "0")}`;

export function createLog(texts: Texts): Log {
  /** Tells our records from those of another process that writes to the same storage. */
  const owner = nanoid();
  let next = 1;
  let attempt = 0;
  /** The next record may be there already: torn by a crash, or by a write of ours that failed. */
  let leftover = false;
  /** It may be there at the end of a segment already: an append failed. */
  let isInDoubt = false;
  let fenced = false;
  /** The segment that the next record is appended to; null when it begins one. */
  let segment: { readonly key: string; writer: TextWriter | null } | null = null;
  let segments: number[] = [];

  async function append(commits: readonly string[]): Promise<void> {
    if (fenced) throw takenOver(next);
    attempt++;
    let all = "";
    for (const commit of commits) all += all === "" ? commit : `,${commit}`;
    const json = `{"owner":"${owner}","attempt":${attempt},"commits":[${all}]}`;
    try {
      if (segment === null) await begin(json);
      else await extend(segment, json);
    } catch (error) {
      if (segment === null) leftover = true;
      else isInDoubt = true;
      endSegment();
      throw error;
    }
    leftover = false;
    isInDoubt = false;
    next++;
  }

  async function begin(json: string): Promise<void> {
    await create(keyOf(next), json);
    segments.push(next);
    if (texts.extend !== null) segment = { key: keyOf(next), writer: null };
  }

  async function extend(open: NonNullable<typeof segment>, json: string): Promise<void> {
    open.writer ??= (await texts.extend?.(open.key)) ?? null;
    await open.writer?.append(json);
  }

  function endSegment(): void {
    // What was written is safe already; a driver that cannot close it does so when it is let go of.
    segment?.writer?.close().catch(() => {});
    segment = null;
  }

  async function create(key: string, json: string): Promise<void> {
    try {
      await texts.write(key, json, { exclusive: true });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const [[found = "missing", ...others] = []] = await texts.findLines([key]);
      const record = recordOf(found);
      // A client that sends a write again after a lost answer meets its own.
      if (record?.owner === owner && record.attempt === attempt) return;
      if (others.length > 0 || (record !== null ? record.owner !== owner : !(leftover || found === "missing"))) {
        fenced = true;
        throw takenOver(next);
      }
      await texts.write(key, json);
    }
  }

  /** Takes the whole records of a segment. */
  function take(number: number, lines: readonly Found[], records: LogRecord[]): void {
    // Written anew: what stands at the end of the segment before is of an append that failed.
    if (number === next - 1) records.pop();
    next = number;
    for (const [index, line] of lines.entries()) {
      const record = recordOf(line);
      if (record !== null) {
        records.push(record);
        next++;
      } else if (index < lines.length - 1) {
        // A torn record can only be the last of its segment, which nobody was promised.
        throw damaged(keyOf(number), "The log");
      }
    }
    leftover = next === number;
    if (!leftover) segments.push(number);
  }

  return {
    get next() {
      return next;
    },

    get fenced() {
      return fenced;
    },

    async read(from) {
      const records: LogRecord[] = [];
      next = from;
      segments = [];
      leftover = false;
      for (let first = from; ; ) {
        const before = next;
        const numbers = Array.from({ length: READ_AHEAD }, (_, index) => first + index);
        const found = await texts.findLines(numbers.map(keyOf));
        for (const [index, number] of numbers.entries()) {
          const lines = found[index] ?? [];
          if (lines.length === 0 || number === segments.at(-1)) continue;
          if (number !== next && number !== next - 1) throw damaged(keyOf(next), "The log");
          take(number, lines, records);
        }
        if (next === before) return records.flatMap(({ commits }) => commits);
        first = next - 1;
      }
    },

    append,

    cut() {
      const passed = segments;
      segments = [];
      endSegment();
      return { next, segments: passed };
    },

    remove: (numbers, turn) =>
      parallel(numbers, async (number) => {
        await turn();
        await texts.remove(keyOf(number));
      }),

    async settle() {
      if (fenced) return;
      if (isInDoubt) await append([]);
      else if (leftover) await texts.remove(keyOf(next));
    },
  };
}

function recordOf(found: Found): LogRecord | null {
  return typeof found === "object" && isLogRecord(found.value) ? found.value : null;
}

/** The checksum says that it is what was written; this says that it was written as a record. */
function isLogRecord(value: unknown): value is LogRecord {
  return isRecord(value) && typeof value["owner"] === "string" && Array.isArray(value["commits"]);
}

function takenOver(number: number): StepwellError {
  return new StepwellError(
    "unavailable",
    `Another process is writing to this storage: it wrote record ${number} of the log. One process at a time can own ` +
      "it; this one commits nothing more. Stop the other, then start this one again.",
  );
}
