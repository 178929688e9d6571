/** Exports records as CSV or lines of JSON, oldest first, reading a few at a time. */
import { stringify } from "csv-stringify/sync";
import { invalid } from "../../messages/field-errors.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Store } from "../../ports/store.ts";
import type { Collections } from "../collections.ts";
import { candidatesOf } from "../records/find/candidates.ts";
import { createMatcher } from "../records/find/match-record.ts";
import { rowConditions } from "../records/find/row-conditions.ts";
import { MAX_FIELDS, type RecordDocument } from "../records/record.ts";
import { valueAt } from "../records/record-data.ts";
import { recordsOf } from "../records/record-rows.ts";
import type { CollectionPlace } from "../records/records.ts";
import type { Tags } from "../tags.ts";
import { cellOf, guarded } from "./cells.ts";
import type { ExportQuery } from "./export-query.ts";

export interface Export {
  readonly fileName: string;
  readonly mediaType: string;
  readonly body: ReadableStream<Uint8Array>;
}

export interface Exports {
  /**
   * The records that exist now, each once. Those that are deleted meanwhile may be missing.
   * @throws StepwellError `not_found`; `invalid` if CSV would have too many columns
   */
  open(at: CollectionPlace, query: ExportQuery, signal: AbortSignal | undefined): Promise<Export>;
}

type Chunks = AsyncGenerator<readonly RecordDocument[], void>;

export function createExports(parts: {
  store: Store;
  hash: Hash;
  collections: Pick<Collections, "get">;
  tags: Pick<Tags, "find">;
}): Exports {
  const { store, hash, collections, tags } = parts;

  async function* select(collectionId: string, query: ExportQuery, until: string, known: string[] | null): Chunks {
    const matches = createMatcher(query, known === null ? null : new Set(known));
    const rows = { ...rowConditions(query, known, hash), descending: false, until };
    for await (const chunk of candidatesOf(store, recordsOf(collectionId), [{}], rows)) {
      yield chunk.flatMap(({ document }) => (document !== null && matches(document) ? [document] : []));
    }
  }

  return {
    async open(at, query, signal) {
      await collections.get(at.app_id, at.collection_id, false);
      const known = query.tags.length === 0 ? null : [...(await tags.find(at.app_id, query.tags)).keys()];
      const [until] = (await store.list(recordsOf(at.collection_id), { limit: 1 })).ids;
      const records = () => (until === undefined ? none() : select(at.collection_id, query, until, known));
      const name = `${at.collection_id}.${query.format}`;
      if (query.format === "jsonl") {
        return { fileName: name, mediaType: "application/x-ndjson", body: streamOf(linesOf(records()), signal) };
      }
      const columns = query.fields.length > 0 ? [...new Set(query.fields)] : await columnsOf(records(), signal);
      return { fileName: name, mediaType: CSV_TYPE, body: streamOf(rowsOf(columns, records()), signal) };
    },
  };
}

const CSV_TYPE = "text/csv; charset=utf-8; header=present";

async function* none(): Chunks {}

/** The fields that any of the records has, in the order in which they are found. */
async function columnsOf(records: Chunks, signal: AbortSignal | undefined): Promise<string[]> {
  const found = new Set<string>();
  for await (const chunk of records) {
    signal?.throwIfAborted();
    for (const { data } of chunk) {
      for (const [entity, fields] of Object.entries(data)) {
        for (const field of Object.keys(fields)) found.add(`${entity}:${field}`);
      }
      if (found.size > MAX_FIELDS) throw tooManyColumns();
    }
  }
  return [...found];
}

function tooManyColumns() {
  const message = `The records have more than ${MAX_FIELDS} different fields, too many for CSV. Name some, or use format=jsonl.`;
  return invalid([{ in: "query", pointer: "/fields", message }]);
}

async function* rowsOf(columns: readonly string[], records: Chunks): AsyncGenerator<string, void> {
  if (columns.length === 0) return;
  yield csvOf([columns.map(guarded)], true);
  for await (const chunk of records) {
    if (chunk.length === 0) continue;
    yield csvOf(
      chunk.map(({ data }) =>
        columns.map((column) => {
          const value = valueAt(data, column);
          return value === undefined ? "" : cellOf(value);
        }),
      ),
      columns.length === 1, // an empty cell alone would be a blank line
    );
  }
}

function csvOf(rows: readonly (readonly string[])[], isQuoted: boolean): string {
  const options = {
    record_delimiter: "windows" as const,
    quoted_match: /[\r\n]/,
    quoted: isQuoted,
    quoted_empty: isQuoted,
  };
  return stringify(
    rows.map((row) => [...row]),
    options,
  );
}

async function* linesOf(records: Chunks): AsyncGenerator<string, void> {
  for await (const chunk of records) {
    if (chunk.length > 0) yield chunk.map((record) => `${JSON.stringify(lineOf(record))}\n`).join("");
  }
}

function lineOf({ id, version, data, tags, created_at, updated_at }: RecordDocument) {
  return { id, version, data, tags, created_at, updated_at };
}

/** Reads on demand. */
function streamOf(texts: AsyncGenerator<string, void>, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        signal?.throwIfAborted();
        const { done, value } = await texts.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return();
      },
    },
    { highWaterMark: 0 },
  );
}
