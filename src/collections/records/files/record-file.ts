/** Reads the files of a record that a function has returned, with types. */
import type { FileSummary } from "../../../files/file.ts";
import { isRecord } from "../../../json.ts";

/** A file in the data of a record, as functions return it. */
export interface RecordFile {
  /** `afile_…` */
  readonly file_id: string;
  /** The file; null if it was deleted or has expired. */
  readonly file: FileSummary | null;
}

/**
 * Whether a value in the data of a record is a file.
 * @example `if (isRecordFile(record.data.loan?.contract)) console.log(record.data.loan.contract.file?.name)`
 */
export function isRecordFile(value: unknown): value is RecordFile {
  if (!isRecord(value) || typeof value["file_id"] !== "string") return false;
  return Object.keys(value).length === 2 && (value["file"] === null || isRecord(value["file"]));
}
