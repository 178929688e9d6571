/** Options of the functions of records. */

import type { Operator } from "../collections/records/find/record-query.ts";
import type { RuleResult } from "../collections/records/record.ts";
import type { ListOptions } from "./list-options.ts";

/** Selects one page of a list of records. */
export interface RecordListOptions extends ListOptions {
  /**
   * Text in the first 2,048 characters of all values together. Case and accents are ignored.
   * @default all records
   */
  search?: string;
  /** Ids of tags, at most 20: only records with any of them. @default all records */
  tags?: string | readonly string[];
  /** Conditions on fields, at most 10, all of which must be met. @default all records */
  filter?: readonly RecordFilter[];
  /**
   * Field to sort by: `{ field: "loan:amount", descending: true }` or `"-loan:amount"`. Ascending order: no value,
   * lists and objects, false, true, numbers, strings. Strings are compared by their first 127 characters in ASCII,
   * fewer in other scripts. To sort more than 2,000 records, add the field to `config.indexes` of the collection.
   * @default newest first
   */
  sort?: string | RecordSort;
  /** Only records with this result of the rule, by its key: `{ credit: "FAIL" }`. @default all records */
  rule_result?: Record<string, RuleResult["result"]>;
  /** Only records that were created or changed after this time, ISO 8601. @default all records */
  updated_after?: string;
}

/** Options of `records.import`. */
export interface RecordImportOptions {
  /** `csv`, or `jsonl` for one record in JSON on each line. @default csv */
  format?: "csv" | "jsonl";
  /**
   * Field that identifies records, as `entity:field`: a row updates the record that has the same value.
   * @default each row creates a record
   */
  key?: string;
  /** Delimiter of CSV. @default detected from the header */
  delimiter?: "," | ";" | "\t" | "|";
  /**
   * Fields of the columns of CSV, in their order, as `entity:field`; an empty one leaves its column out. The header may
   * then have any names. At most 1,000. @default the names in the header
   */
  columns?: string | readonly string[];
  /**
   * Encoding of a body of bytes; not allowed for a string.
   * @default that of a byte order mark; else UTF-8 if the first 64 KiB are valid UTF-8; else windows-1252
   */
  charset?: string;
  /** Aborts reading the body: the promise rejects with its reason. */
  signal?: AbortSignal;
}

/** Options of `records.export`: which records, and the format. */
export interface RecordExportOptions
  extends Pick<RecordListOptions, "search" | "tags" | "filter" | "rule_result" | "updated_after"> {
  /** `csv`, or `jsonl` for one record in JSON on each line. @default csv */
  format?: "csv" | "jsonl";
  /**
   * Columns of CSV, as `entity:field`, at most 1,000.
   * @default all fields of the records. Stepwell then reads the records twice; fields added between the two reads are
   * missing
   */
  fields?: string | readonly string[];
  /** Aborts the export: the stream fails with its reason. */
  signal?: AbortSignal;
}

/** A condition on a field of a record. */
export interface RecordFilter {
  /** Field to compare, as `entity:field`. */
  field: string;
  /**
   * How to compare. `eq` and `ne` compare type and value. A record without the field meets only `ne` and
   * `exists: false`. `gt`, `gte`, `lt` and `lte` compare numbers with numbers, and strings with strings by code points,
   * such as ISO 8601 dates. `contains` matches a substring, or an item of a list.
   * @default eq
   */
  op?: Operator;
  /** Value to compare with: a list of at most 100 values for `in`, a boolean for `exists`. */
  value: string | number | boolean | (string | number | boolean)[];
}

/** The order of records. */
export interface RecordSort {
  /** Field to sort by, as `entity:field`. */
  field: string;
  /** Whether the largest value comes first. @default false */
  descending?: boolean;
}

/** Selects one page of the history of a record. */
export interface HistoryOptions extends ListOptions {}

/** Options of `records.remove`. */
export interface RecordRemovalOptions {
  /** Version that the record must have; otherwise the call rejects with `precondition_failed`. @default any version */
  expected_version?: number;
}

/** Options of `records.get`. */
export interface RecordVersionOptions {
  /** Version to return. @default the current version */
  version?: number;
}
