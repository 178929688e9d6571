/** The routes that import and export records. */
import * as v from "valibot";
import { attachment } from "../../files/file-name.ts";
import { rawRoute } from "../../http/route.ts";
import { Job } from "../../jobs/job.ts";
import { check } from "../../schema.ts";
import { read, write } from "../access.ts";
import { writerOf } from "../records/writer.ts";
import { ExportQuery } from "./export-query.ts";
import type { Exports } from "./export-records.ts";
import { MAX_IMPORT_BYTES, tooLargeImport } from "./import-blob.ts";
import { ImportQuery, importFormat } from "./import-query.ts";
import type { Imports, StartOnce } from "./import-records.ts";

export interface Slices {
  readonly imports: Imports;
  readonly exports: Exports;
}

/** Only for the reference: the rows are read as they arrive. */
const CSV = v.pipe(v.string(), v.examples(["loan:number,loan:amount\nA-7,90000\n"]));

export const importRecords = rawRoute({
  method: "POST",
  path: "/apps/{app_id}/collections/{collection_id}/records/import",
  ...write,
  summary:
    "Start a job that creates or updates a record for each row of CSV or each line of JSON Lines, at most 100 MiB. Does not wait for rules.",
  repeatable: true,
  described: {
    request: {
      query: ImportQuery,
      body: { "text/csv": CSV, "application/x-ndjson": null, "application/jsonl": null },
    },
    answers: { 202: { headers: ["Location"], body: { "application/json": Job } } },
  },
  async respond({ imports }: Slices, request, { params, query: given, caller, signal, bytes, once }) {
    const query = check(ImportQuery, given ?? {}, "query");
    const { format, charset } = importFormat(request.headers);
    checkAnnouncedSize(request);
    const text = { format, query, charset, signal, body: bytes(signal) };
    const startOnce: StartOnce = async (digest, start) => v.parse(Job, await once(digest, start));
    const job = await imports.start(params, text, startOnce, writerOf(caller));
    const location = imports.addressOf(params.app_id, job.id);
    return Response.json(job, { status: 202, headers: { location } });
  },
});

/** Refuses a body by its announced size, before reading anything. */
function checkAnnouncedSize(request: Request): void {
  if (Number(request.headers.get("content-length") ?? "0") > MAX_IMPORT_BYTES) throw tooLargeImport();
}

export const exportRecords = rawRoute({
  method: "GET",
  path: "/apps/{app_id}/collections/{collection_id}/records/export",
  ...read,
  summary: "Export records as CSV or JSON Lines, oldest first, in a format that you can import again.",
  described: {
    request: { query: ExportQuery },
    answers: {
      200: { headers: ["Content-Disposition"], body: { "text/csv": null, "application/x-ndjson": null } },
    },
  },
  async respond({ exports }: Slices, _request, { params, query: given, signal }) {
    const { fileName, mediaType, body } = await exports.open(params, check(ExportQuery, given ?? {}, "query"), signal);
    const headers = {
      "content-type": mediaType,
      "content-disposition": attachment(fileName),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    };
    return new Response(body, { headers });
  },
});
