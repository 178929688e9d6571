/** What callers choose about an import. */
import * as v from "valibot";
import { requireUncompressed } from "../../encoding/content-coding.ts";
import { charsetOf } from "../../encoding/declared-encoding.ts";
import { essenceOf } from "../../encoding/text-types.ts";
import { StepwellError } from "../../errors.ts";
import { strictObject } from "../../schema.ts";
import { FieldPath } from "../mapping.ts";
import { DELIMITERS } from "./csv-header.ts";
import { ImportColumns } from "./import-columns.ts";

/** `csv`: RFC 4180 with a header. `jsonl`: one record in JSON on each line. */
export const TRANSFER_FORMATS = ["csv", "jsonl"] as const;
export type TransferFormat = (typeof TRANSFER_FORMATS)[number];

export const ImportQuery = strictObject({
  /**
   * Field that identifies records, as `entity:field`: a row updates the record that has the same value.
   * @default each row creates a record
   */
  key: v.exactOptional(FieldPath),
  /** Delimiter of CSV. @default detected from the header */
  delimiter: v.exactOptional(v.picklist(DELIMITERS, "Must be a comma, a semicolon, a tab or |.")),
  /**
   * Fields of the columns of CSV, in their order, as `entity:field`; an empty one leaves its column out. The header may
   * then have any names. @default the names in the header
   */
  columns: v.exactOptional(ImportColumns),
});
export interface ImportQuery extends v.InferOutput<typeof ImportQuery> {}

const FORMATS = new Map<string, TransferFormat>([
  ["text/csv", "csv"],
  ["application/x-ndjson", "jsonl"],
  ["application/jsonl", "jsonl"],
]);

/** @throws StepwellError `unsupported_media_type` */
export function importFormat(headers: Headers): { readonly format: TransferFormat; readonly charset?: string } {
  requireUncompressed(headers);
  const contentType = headers.get("content-type") ?? "";
  const format = FORMATS.get(essenceOf(contentType));
  if (format === undefined) {
    const given = contentType === "" ? "has no Content-Type" : `is ${JSON.stringify(contentType.slice(0, 100))}`;
    const message = `The body ${given}. An import must be text/csv, application/x-ndjson or application/jsonl.`;
    throw new StepwellError("unsupported_media_type", message);
  }
  const charset = charsetOf(contentType);
  return charset === undefined ? { format } : { format, charset };
}
