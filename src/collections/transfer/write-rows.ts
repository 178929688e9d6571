/**
 * Writes the rows of a batch, several at a time. Each is committed with a mark, which tells a repeat of the batch after a
 * crash that the row is done. The next commit of the job deletes the marks.
 */
import { type Expiring, expiringRow, notExpiringRow } from "../../documents/expiring-documents.ts";
import { cut, isStepwellError, type StepwellError } from "../../errors.ts";
import type { JobProblem, WrittenRecords } from "../../jobs/job.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, DerivedChange, Key, Store } from "../../ports/store.ts";
import { instant } from "../../time/iso.ts";
import { DAY_MS } from "../../time/units.ts";
import { forEachChain } from "../bulk/bulk-write.ts";
import { type Indexed, stagesOf } from "../bulk/operation-order.ts";
import { fieldsOf } from "../bulk/record-operation.ts";
import type { Collections } from "../collections.ts";
import { createFieldBudget } from "../records/field-budget.ts";
import type { CollectionRef, Records, RecordWriteOutcome, WriteReceipt } from "../records/records.ts";
import type { Writer } from "../records/writer.ts";
import type { ImportRow } from "./import-rows.ts";
import { dataOfCells, operationOf, recordOfLine } from "./imported-row.ts";

/** How long a mark stays if its job never continues. */
const MARK_RETENTION_MS = 365 * DAY_MS;
/** Rows that are written at the same time, so that the storage commits many of them at once. Fewer if they are wide. */
const AT_ONCE = 200;
const MAX_MESSAGE_CHARS = 300;

export interface RowBatch {
  readonly at: CollectionRef;
  /** Id of the import. */
  readonly importId: string;
  /** Field that identifies records; null to create a record for each row. */
  readonly key: string | null;
  /** Fields of the columns of CSV. */
  readonly columns: readonly string[];
  /** Whether rows of the batch may be done already. */
  readonly isRepeated: boolean;
  /** To be committed with each row: fails if another process has stored the batch. */
  readonly guards: readonly DerivedChange[];
  readonly writer: Writer;
  readonly signal: AbortSignal;
}

export interface WrittenRows {
  /** Number of rows that are written or have a problem: all of them, unless the signal aborted or the storage failed. */
  readonly done: number;
  readonly problems: readonly JobProblem[];
  readonly written: WrittenRecords;
  /** The changes to commit with the position after the batch. */
  readonly changes: readonly Change[];
  /** Why rows are left: `unavailable`, `too_many_requests` or `conflict`, to be repeated; `not_found` for a deleted collection. */
  readonly failure: { readonly error: unknown } | undefined;
}

/** A row that is done. */
interface Mark extends Expiring {
  readonly outcome: RecordWriteOutcome;
}

interface DoneRow {
  /** Version of its mark. */
  readonly version: number;
  readonly outcome: RecordWriteOutcome;
}

export type WriteRows = (rows: readonly ImportRow[], batch: RowBatch) => Promise<WrittenRows>;

export function createWriteRows(parts: {
  store: Store;
  clock: Clock;
  collections: Pick<Collections, "forWriting">;
  records: Pick<Records, "create" | "upsert">;
}): WriteRows {
  const { store, clock, collections, records } = parts;

  /** The marks of rows that are done. */
  async function findMarks(keys: readonly Key[]): Promise<Map<Key, DoneRow>> {
    const found = await store.getMany<Mark>(keys);
    return new Map(
      keys.flatMap((key, index) => {
        const mark = found[index];
        return mark === undefined || mark === null
          ? []
          : [[key, { version: mark.version, outcome: mark.document.outcome }]];
      }),
    );
  }

  /** A batch that nobody has executed before has no marks. To expect none would read each from the storage. */
  function markOf(key: Key, { isRepeated, guards }: RowBatch, onWrite: (outcome: RecordWriteOutcome) => void) {
    const expires_at = instant(clock.now() + MARK_RETENTION_MS);
    const receipt: WriteReceipt = (_, outcome) => {
      onWrite(outcome);
      const document: Mark = { expires_at, outcome };
      const change = { key, document, rows: [expiringRow(key, document)] };
      return [isRepeated ? { ...change, expected: null } : change, ...guards];
    };
    return receipt;
  }

  async function write({ operation }: Indexed, { at, writer }: RowBatch, receipt: WriteReceipt): Promise<void> {
    if (operation.op === "create") {
      const { op: _, ...input } = operation;
      await records.create(at, input, receipt, writer);
    } else if (operation.op === "upsert") {
      const { op: _, ...input } = operation;
      await records.upsert(at, input, receipt, writer);
    }
  }

  return async (rows, batch) => {
    const { at, importId, isRepeated, signal } = batch;
    const keyOf = (line: number): Key => `import-row:${importId}.${line}`;
    const marks = isRepeated ? await findMarks(rows.map(({ line }) => keyOf(line))) : new Map<Key, DoneRow>();
    const problems: JobProblem[] = [];
    const valid: Indexed[] = [];
    const budget = createFieldBudget(clock);
    let widest = 0;
    for (const row of rows) {
      try {
        if (marks.has(keyOf(row.line))) continue;
        const operation = read(row, batch);
        valid.push({ index: row.line, operation });
        const fields = fieldsOf(operation);
        widest = Math.max(widest, fields);
        await budget.spend(fields);
      } catch (error) {
        problems.push(problem(row.line, error));
      }
    }

    /** Ends the batch, once the writes in progress have ended. */
    let failure: { readonly error: unknown } | undefined;

    async function writeOne(indexed: Indexed): Promise<void> {
      const key = keyOf(indexed.index);
      try {
        // A write that loses against another one is decided again: the last outcome is what was committed.
        let outcome: RecordWriteOutcome = "unchanged";
        await write(
          indexed,
          batch,
          markOf(key, batch, (decided) => {
            outcome = decided;
          }),
        );
        marks.set(key, { version: 1, outcome });
      } catch (error) {
        if (isRepeatable(error)) throw error;
        if (isStepwellError(error, "not_found")) await collections.forWriting(at.app_id, at.collection_id);
        problems.push(problem(indexed.index, error));
      }
    }

    async function writeOrFail(indexed: Indexed): Promise<void> {
      if (failure !== undefined || signal.aborted) return;
      try {
        await writeOne(indexed);
        await budget.spend(fieldsOf(indexed.operation));
      } catch (error) {
        failure ??= { error };
      }
    }
    const atOnce = Math.min(AT_ONCE, budget.recordsAtOnce(widest));
    for (const chains of stagesOf(valid)) await forEachChain(chains, writeOrFail, atOnce);

    problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
    const done = marks.size + problems.length;
    const outcomes = [...marks.values()].map(({ outcome }) => outcome);
    const count = (wanted: RecordWriteOutcome) => outcomes.filter((outcome) => outcome === wanted).length;
    const written = { created: count("created"), updated: count("updated"), unchanged: count("unchanged") };
    return {
      done,
      problems,
      written,
      failure,
      changes: [...marks].map(([key, { version }]) => deletion(key, version)),
    };
  };
}

function read({ content }: ImportRow, { columns, key }: RowBatch) {
  if (content instanceof Error) throw content;
  return operationOf(
    typeof content === "string" ? recordOfLine(content) : { data: dataOfCells(columns, content) },
    key,
  );
}

function deletion(key: Key, version: number): Change {
  return { key, document: null, expected: version, rows: [notExpiringRow(key)] };
}

/** Whether the same row may succeed later. */
function isRepeatable(error: unknown): boolean {
  return (["unavailable", "too_many_requests", "conflict"] as const).some((code) => isStepwellError(error, code));
}

/** @throws the error if it is not about the row */
function problem(line: number, error: unknown): JobProblem {
  if (!isStepwellError(error)) throw error;
  return { line, record_id: null, code: error.code, message: cut(messageOf(error), MAX_MESSAGE_CHARS) };
}

const messageOf = ({ publicDetail, code }: StepwellError) => publicDetail ?? code;
