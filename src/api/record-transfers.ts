/** The service functions that import and export records. */
import * as v from "valibot";
import type { Apps } from "../apps/apps.ts";
import type { Caller } from "../calls/caller.ts";
import { writerOf } from "../collections/records/writer.ts";
import { ExportQuery } from "../collections/transfer/export-query.ts";
import type { Exports } from "../collections/transfer/export-records.ts";
import { ImportQuery, TRANSFER_FORMATS } from "../collections/transfer/import-query.ts";
import type { Imports } from "../collections/transfer/import-records.ts";
import { noReceipt } from "../documents/receipt.ts";
import { bytesOnly, isStream } from "../files/byte-stream.ts";
import { invalid } from "../messages/field-errors.ts";
import { checkOptions, isSignal, NO_SIGNAL } from "../schema.ts";
import type { RecordFunctions, RecordsApi } from "./records-api.ts";
import { givenParams } from "./route-functions.ts";

export interface TransferParts {
  readonly apps: Pick<Apps, "get">;
  readonly imports: Pick<Imports, "start">;
  readonly exports: Exports;
}

const Signal = v.custom<AbortSignal>(isSignal, NO_SIGNAL);

const ImportOptions = v.strictObject({
  ...ImportQuery.entries,
  format: v.optional(v.picklist(TRANSFER_FORMATS, "Must be csv or jsonl."), "csv"),
  charset: v.optional(v.string()),
  signal: v.optional(Signal),
});

/** @param caller The host, which may do everything, or a step. */
export function createRecordTransfers(
  { apps, imports, exports }: TransferParts,
  caller: Caller = { kind: "host" },
): Pick<RecordsApi, "import" | "export"> {
  return {
    async import(appId, collectionId, body, options = {}) {
      const at = givenParams(["app_id", "collection_id"], [appId, collectionId]);
      const { format, charset, signal, ...query } = checkOptions(ImportOptions, options);
      if (typeof body === "string" && charset !== undefined) {
        throw invalid([{ pointer: "/charset", message: "Only bytes have a charset. Omit it for a string." }]);
      }
      const bytes = bytesOf(body);
      await apps.get(at.app_id);
      const text = { format, query, charset, signal, body: bytes };
      return imports.start(at, text, (_, start) => start(noReceipt), writerOf(caller));
    },

    async export(appId, collectionId, options = {}) {
      const at = givenParams(["app_id", "collection_id"], [appId, collectionId]);
      const { signal, ...given } = options;
      if (signal !== undefined && !isSignal(signal)) throw invalid([{ pointer: "/signal", message: NO_SIGNAL }]);
      const query = checkOptions(ExportQuery, given);
      await apps.get(at.app_id);
      return (await exports.open(at, query, signal)).body;
    },
  };
}

/** The functions of records, which callers may give data of any type that is JSON: the functions check its values. */
export function acceptTypedData(records: RecordFunctions): RecordsApi;
export function acceptTypedData(records: RecordFunctions): RecordFunctions {
  return records;
}

/** The bytes of a body from a program, which may not be type-checked. */
function bytesOf(body: unknown): AsyncIterable<Uint8Array> {
  if (typeof body === "string") return only(new TextEncoder().encode(body));
  if (body instanceof Uint8Array) return only(body);
  if (isStream(body)) return bytesOnly(body);
  const message = "Must be a string, a Uint8Array or a stream of Uint8Arrays such as blob.stream().";
  throw invalid([{ pointer: "/body", message }]);
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
