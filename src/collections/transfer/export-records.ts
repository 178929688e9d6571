/** Exports records as CSV or lines of JSON, oldest first, reading a few at a time. */
import { notFound } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hash } from "../../ports/hash.ts";
import type { Store } from "../../ports/store.ts";
import type { Collections } from "../collections.ts";
import { createFieldBudget } from "../records/field-budget.ts";
import { candidatesOf } from "../records/find/candidates.ts";
import { createMatcher } from "../records/find/match-record.ts";
import { rowConditions } from "../records/find/row-conditions.ts";
import type { RecordDocument } from "../records/record.ts";
import { recordsOf } from "../records/record-rows.ts";
import type { CollectionRef } from "../records/records.ts";
import type { Tags } from "../tags.ts";
import { textOfAllFields, textOfFields } from "./export-csv.ts";
import type { ExportQuery } from "./export-query.ts";
import { type Chunks, type ExportText, type SelectRecords, streamOf } from "./export-text.ts";
import { createHeldRows } from "./held-rows.ts";

export interface Export {
  readonly fileName: string;
  readonly mediaType: string;
  readonly body: ReadableStream<Uint8Array>;
}

export interface Exports {
  /**
   * The records that exist now, each once. Those that are deleted meanwhile may be missing. If the app is deleted meanwhile,
   * the body fails.
   * @throws StepwellError `not_found`; `invalid` if CSV would have too many columns
   */
  open(at: CollectionRef, query: ExportQuery, signal: AbortSignal | undefined): Promise<Export>;
}

interface Range {
  readonly after: string | undefined;
  readonly until: string;
}

export function createExports(parts: {
  store: Store;
  clock: Clock;
  hash: Hash;
  appExists(appId: string): Promise<boolean>;
  collections: Pick<Collections, "get">;
  tags: Pick<Tags, "find">;
}): Exports {
  const { store, clock, hash, appExists, collections, tags } = parts;

  const openHeldRows = createHeldRows();

  async function* select(at: CollectionRef, query: ExportQuery, known: string[] | null, range: Range): Chunks {
    const matches = createMatcher(query, known === null ? null : new Set(known));
    const rows = { ...rowConditions(query, known, hash), ...range, descending: false };
    for await (const chunk of candidatesOf(store, recordsOf(at.collection_id), [{}], rows)) {
      const records = chunk.flatMap(({ document }) => (document !== null && matches(document) ? [document] : []));
      const position = chunk.at(-1)?.position;
      if (position !== undefined) yield { records, position };
    }
    // The records of a deleted app go before its collections: what was read may have been the rest.
    if (!(await appExists(at.app_id))) throw notFound("app", at.app_id);
  }

  return {
    async open(at, query, signal) {
      await collections.get(at.app_id, at.collection_id, false);
      const known = query.tags.length === 0 ? null : [...(await tags.find(at.app_id, query.tags)).keys()];
      const [until] = (await store.list(recordsOf(at.collection_id), { limit: 1 })).ids;
      const records: SelectRecords = (after) =>
        until === undefined ? none() : select(at, query, known, { after, until });
      const name = `${at.collection_id}.${query.format}`;
      if (query.format === "jsonl") {
        const lines: ExportText = { texts: linesOf(records(undefined)), release: () => undefined };
        return { fileName: name, mediaType: "application/x-ndjson", body: streamOf(lines, signal) };
      }
      const text =
        query.fields.length > 0
          ? textOfFields(query.fields, records, createFieldBudget(clock))
          : await textOfAllFields(records, openHeldRows(), createFieldBudget(clock), signal);
      return { fileName: name, mediaType: CSV_TYPE, body: streamOf(text, signal) };
    },
  };
}

const CSV_TYPE = "text/csv; charset=utf-8; header=present";

async function* none(): Chunks {}

async function* linesOf(chunks: Chunks): AsyncGenerator<string, void> {
  for await (const { records: some } of chunks) {
    if (some.length > 0) yield some.map((record) => `${JSON.stringify(lineOf(record))}\n`).join("");
  }
}

function lineOf({ id, version, data, tags, created_at, updated_at }: RecordDocument) {
  return { id, version, data, tags, created_at, updated_at };
}
