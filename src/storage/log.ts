/**
 * The write-ahead log: numbered records, each with all commits of one flush. A commit is stored once its record is, for
 * its documents and rows together.
 */
import { nanoid } from "nanoid";
import { StepwellError } from "../errors.ts";
import { isRecord } from "../json.ts";
import { isAlreadyExists } from "../ports/driver.ts";
import type { RowChange } from "../ports/store.ts";
import { parallel } from "./parallel.ts";
import { damaged, type Found, type Texts } from "./texts.ts";

/** A commit as logged: documents as key, version and document (both null: removed), and rows. */
export interface LoggedCommit {
  readonly documents: readonly (readonly [string, number | null, object | null])[];
  readonly rows: readonly RowChange[];
}

export interface Log {
  /** The number of the record that is written next. */
  readonly next: number;
  /** Another process has written to the storage: nothing of ours may go there any more. */
  readonly fenced: boolean;
  /** Reads every record from a number on; what comes next is then known. */
  read(from: number): Promise<readonly LoggedCommit[]>;
  /** Stores commits, as JSON, in one record. @throws StepwellError `unavailable`; `next` stays as it is then */
  append(commits: readonly string[]): Promise<void>;
  /** Removes records, the last one last: while it is there, others may be. */
  remove(from: number, to: number): Promise<void>;
  /** Removes what an append that failed may have left behind, so that nobody finds it after a start. */
  settle(): Promise<void>;
}

interface LogRecord {
  readonly owner: string;
  readonly attempt: number;
  readonly commits: readonly LoggedCommit[];
}

const DIGITS = 10;
/** Records that are read at once at a start. */
const READ_AHEAD = 16;

const keyOf = (number: number) => `log:${String(number).padStart(DIGITS, "0")}`;

export function createLog(texts: Texts): Log {
  /** Tells our records from those of another process that writes to the same storage. */
  const owner = nanoid();
  let next = 1;
  let attempt = 0;
  /** The next record may be there already: torn by a crash, or by a write of ours that failed. */
  let leftover = false;
  let fenced = false;

  async function append(commits: readonly string[]): Promise<void> {
    if (fenced) throw takenOver(next);
    attempt++;
    const key = keyOf(next);
    const json = `{"owner":"${owner}","attempt":${attempt},"commits":[${commits.join(",")}]}`;
    try {
      await create(key, json);
    } catch (error) {
      leftover = true;
      throw error;
    }
    leftover = false;
    next++;
  }

  async function create(key: string, json: string): Promise<void> {
    try {
      await texts.write(key, json, { exclusive: true });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const found = await texts.find(key);
      const record = recordOf(found);
      // A client that sends a write again after a lost answer meets its own.
      if (record?.owner === owner && record.attempt === attempt) return;
      if (record !== null ? record.owner !== owner : !(leftover || found === "missing")) {
        fenced = true;
        throw takenOver(next);
      }
      await texts.write(key, json);
    }
  }

  return {
    get next() {
      return next;
    },

    get fenced() {
      return fenced;
    },

    async read(from) {
      const commits: LoggedCommit[] = [];
      next = from;
      let end: "missing" | "damaged" | null = null;
      // A torn record can only be the last, which nobody was promised: nothing may follow the end.
      while (end === null) {
        const first = next;
        const keys = Array.from({ length: READ_AHEAD }, (_, index) => keyOf(first + index));
        for (const found of await texts.findMany(keys)) {
          if (end !== null) {
            if (found !== "missing") throw damaged(keyOf(next), "The log");
            continue;
          }
          const record = recordOf(found);
          if (record === null) {
            end = found === "missing" ? "missing" : "damaged";
          } else {
            commits.push(...record.commits);
            next++;
          }
        }
      }
      leftover = end === "damaged";
      // Where the end was the last of those read at once, nothing behind it was looked at yet.
      const isLast = (next - from) % READ_AHEAD === READ_AHEAD - 1;
      if (isLast && (await texts.find(keyOf(next + 1))) !== "missing") throw damaged(keyOf(next), "The log");
      return commits;
    },

    append,

    async remove(from, to) {
      if (from >= to) return;
      const numbers = Array.from({ length: to - from - 1 }, (_, index) => from + index);
      await parallel(numbers, (number) => texts.remove(keyOf(number)));
      await texts.remove(keyOf(to - 1));
    },

    async settle() {
      if (leftover && !fenced) await texts.remove(keyOf(next));
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
