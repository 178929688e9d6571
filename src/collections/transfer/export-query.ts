/** What callers choose about an export: the format, and the records as in a list. */
import * as v from "valibot";
import { multipleValues, searchQuery } from "../../documents/pagination.ts";
import { strictObject } from "../../schema.ts";
import { FieldPath } from "../mapping.ts";
import { readBracketParameters } from "../records/find/bracket-parameters.ts";
import { contentConditions } from "../records/find/record-query.ts";
import { tagsQuery } from "../tag.ts";
import { TRANSFER_FORMATS } from "./import-query.ts";

/** Fields that a caller can name. */
const MAX_NAMED_FIELDS = 1_000;

export const ExportQuery = readBracketParameters(
  strictObject({
    format: v.optional(v.picklist(TRANSFER_FORMATS, "Must be csv or jsonl."), "csv"),
    /** Columns of CSV, as `entity:field`. @default all fields of the records, found by reading them twice */
    fields: v.optional(multipleValues(FieldPath, MAX_NAMED_FIELDS), []),
    ...searchQuery,
    ...tagsQuery,
    filter: v.optional(contentConditions.filter, []),
    rule_result: v.optional(contentConditions.rule_result, {}),
    updated_after: v.optional(contentConditions.updated_after),
  }),
);
export interface ExportQuery extends v.InferOutput<typeof ExportQuery> {}
