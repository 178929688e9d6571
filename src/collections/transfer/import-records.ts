/** Imports records from stored CSV or lines of JSON, as a job. */
import * as v from "valibot";
import type { Receipt } from "../../documents/receipt.ts";
import type { OrphanBlobs } from "../../files/orphan-blobs.ts";
import type { StoreBlob } from "../../files/store-blob.ts";
import type { Job } from "../../jobs/job.ts";
import type { Batch } from "../../jobs/job-kind.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { invalid } from "../../messages/field-errors.ts";
import type { Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Store } from "../../ports/store.ts";
import type { Collections } from "../collections.ts";
import { FieldPath } from "../mapping.ts";
import type { CollectionRef, Records } from "../records/records.ts";
import { Writer } from "../records/writer.ts";
import { DELIMITERS } from "./csv-header.ts";
import { createStoreImport, type ImportText } from "./import-blob.ts";
import { type ImportQuery, TRANSFER_FORMATS, type TransferFormat } from "./import-query.ts";
import { createRowReader, type RowFormat, type RowPosition, type RowReader } from "./import-rows.ts";
import { createWriteRows } from "./write-rows.ts";

/** Rows in one batch. */
const ROWS_PER_BATCH = 200;
/** Imports of which the last bytes that were read are in memory, up to 4 MiB each. */
const MAX_OPEN = 20;

const Task = v.object({
  collection_id: v.string(),
  format: v.picklist(TRANSFER_FORMATS),
  delimiter: v.nullable(v.picklist(DELIMITERS)),
  /** Field that identifies records; null to create a record for each row. */
  key: v.nullable(FieldPath),
  /** Fields of the columns; null for those that the header names. */
  columns: v.nullable(v.array(v.string())),
  /** The text, in UTF-8. */
  blob: v.object({ id: v.string(), size: v.number(), block_size: v.number(), sha256: v.string() }),
  /** Who started the job, and how deeply it is nested in runs. */
  writer: Writer,
});
type Task = v.InferOutput<typeof Task>;

/** Where the next batch begins. */
const Position = v.object({ byte: v.number(), line: v.number() });
type Position = v.InferOutput<typeof Position>;

/** The text of an import, and what its caller chose. */
export interface ImportRequest extends ImportText {
  readonly format: TransferFormat;
  readonly query: ImportQuery;
}

/** Calls `start` with a receipt, or returns what an earlier call with the same idempotency key and text returned. */
export type StartOnce = (digest: string, start: (receipt: Receipt) => Promise<Job>) => Promise<Job>;

export interface Imports {
  /**
   * Stores the text and starts the job.
   * @throws StepwellError `not_found`, also for a deleted collection; `too_large`; `malformed` and `unsupported_media_type`
   * for the charset; `too_many_requests`
   */
  start(at: CollectionRef, request: ImportRequest, once: StartOnce, writer: Writer): Promise<Job>;
  /** Address of the job. */
  addressOf(appId: string, jobId: string): string;
}

/** What is known of a running import in this process. */
interface Open {
  readonly reader: RowReader;
  readonly format: RowFormat;
  readonly start: RowPosition;
  /** Where the batch begins that no process has executed before. */
  fresh: number | undefined;
}

export function createImports(parts: {
  store: Store;
  blobs: Blobs;
  storeBlob: StoreBlob;
  orphanBlobs: OrphanBlobs;
  clock: Clock;
  ids: Ids;
  baseUrl: string;
  collections: Pick<Collections, "forWriting">;
  records: Pick<Records, "create" | "upsert">;
  jobs: Pick<Jobs, "register">;
  /** Whether another process may execute a batch before this one notices. */
  isShared: boolean;
}): Imports {
  const { blobs, orphanBlobs, baseUrl, collections, jobs, isShared } = parts;
  const storeImport = createStoreImport(parts);
  const writeRows = createWriteRows(parts);
  const opened = new Map<string, Open>();

  async function open({ blob, format, delimiter, columns }: Task): Promise<Open> {
    const known = opened.get(blob.id);
    if (known !== undefined) return known;
    const reader = createRowReader(blobs, blob);
    const start: RowPosition = { byte: 0, line: 0 };
    const found: Open = {
      ...{ reader, fresh: undefined },
      ...(format === "csv" ? await reader.open(delimiter, columns) : { format: { kind: "jsonl" }, start }),
    };
    const [oldest] = opened.keys();
    if (opened.size === MAX_OPEN && oldest !== undefined) opened.delete(oldest);
    opened.set(blob.id, found);
    return found;
  }

  const start = jobs.register<Task, Position>({
    name: "records.import",
    task: Task,
    position: Position,

    async execute({ appId, task, position, guard, signal }): Promise<Batch<Position>> {
      const at = { app_id: appId, collection_id: task.collection_id };
      await collections.forWriting(at.app_id, at.collection_id);
      const text = await open(task);
      const from = position ?? text.start;
      const isRepeated = isShared || text.fresh !== from.byte;
      const guards = isShared ? [guard] : [];
      text.fresh = undefined;
      if (from.byte === task.blob.size)
        return { position: from, done: 0, problems: [], written: NOTHING, isLast: true };
      const { rows, next, isLast } = await text.reader.read(text.format, from, ROWS_PER_BATCH);
      const batch = { at, importId: task.blob.id, key: task.key, columns: columnsOf(text.format), isRepeated, guards };
      const written = await writeRows(rows, { ...batch, writer: task.writer, signal });
      if (written.done < rows.length) return { ...written, position: from, isLast: false };
      text.fresh = next.byte;
      return { ...written, position: next, isLast };
    },

    release: {
      changes: ({ blob }) => [orphanBlobs.markOrphan(blob.id)],
      async afterwards({ blob }) {
        opened.delete(blob.id);
        await orphanBlobs.discard(blob.id);
      },
    },
  });

  return {
    async start(at, { format, query, ...text }, once, writer) {
      if (format === "jsonl") refuseForLines(query);
      await collections.forWriting(at.app_id, at.collection_id);
      const { key = null, delimiter = null } = query;
      const columns = query.columns === undefined ? null : [...query.columns];
      return storeImport(text, (blob, refer) =>
        once(JSON.stringify([format, key, delimiter, columns, blob.sha256]), async (receipt) => {
          await collections.forWriting(at.app_id, at.collection_id);
          const task: Task = { collection_id: at.collection_id, format, delimiter, key, columns, blob, writer };
          return start(at.app_id, task, null, (job) => [...receipt(job), refer]);
        }),
      );
    },
    addressOf: (appId, jobId) => `${baseUrl}/apps/${appId}/jobs/${jobId}`,
  };
}

function refuseForLines(query: ImportQuery): void {
  for (const name of ["delimiter", "columns"] as const) {
    if (query[name] === undefined) continue;
    throw invalid([{ in: "query", pointer: `/${name}`, message: "Only CSV can have it. Omit it." }]);
  }
}

const NOTHING = { created: 0, updated: 0, unchanged: 0 };

const columnsOf = (format: RowFormat) => (format.kind === "csv" ? format.columns : []);
