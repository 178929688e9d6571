/** The operations of a bulk call, and their outcomes. */
import * as v from "valibot";
import { checkedParam } from "../../calls/path-params.ts";
import { StepwellError } from "../../errors.ts";
import { isRecord } from "../../json.ts";
import { check, list, strictObject, untouched } from "../../schema.ts";
import { CollectionRecord, countFields, RecordCreate, RecordUpdate, RecordUpsert } from "../records/record.ts";

const MAX_OPERATIONS = 1_000;
/** Invalid fields of one operation in its outcome. */
const MAX_ERRORS = 5;

const Create = strictObject({
  /** Creates a record. */
  op: v.literal("create"),
  ...RecordCreate.entries,
});
const Update = strictObject({
  /** Updates a record. */
  op: v.literal("update"),
  /** Record to update. */
  record_id: v.string(),
  ...RecordUpdate.entries,
});
const Upsert = strictObject({
  /** Updates the record with a value in a field, or creates it. */
  op: v.literal("upsert"),
  ...RecordUpsert.entries,
});

export const RecordOperation = v.variant("op", [Create, Update, Upsert]);
/** A valid operation. */
export type RecordOperation = v.InferOutput<typeof RecordOperation>;
/** An operation of a bulk call: `create`, `update` or `upsert`, with the fields of the function of the same name. */
export type RecordOperationInput = v.InferInput<typeof RecordOperation>;

/** Not checked here: one invalid operation does not stop the others. */
export const RecordOperationInput = untouched<RecordOperationInput>(RecordOperation, () => true);

export const RecordBulk = strictObject({
  /** The operations, 1 to 1,000. Each is checked on its own. */
  operations: v.pipe(
    list(RecordOperationInput),
    v.minLength(1, "Must not be empty."),
    v.maxLength(MAX_OPERATIONS, `Must have at most ${MAX_OPERATIONS} operations.`),
  ),
});
/**
 * Operations on records of a collection.
 * @example { "operations": [{ "op": "create", "data": { "loan": { "amount": 250000 } } }] }
 */
export interface RecordBulk extends v.InferOutput<typeof RecordBulk> {}

const WRONG_OP = "Must be create, update or upsert.";

/** @throws StepwellError `invalid`, with pointers into the operation; `not_found` for an id that no record can have */
export function checkOperation(given: unknown): RecordOperation {
  switch (isRecord(given) ? given["op"] : undefined) {
    case "create":
      return check(Create, given, undefined, "the operation");
    case "update": {
      const operation = check(Update, given, undefined, "the operation");
      checkedParam("record_id", operation.record_id);
      return operation;
    }
    case "upsert":
      return check(Upsert, given, undefined, "the operation");
    default:
      throw new StepwellError("invalid", `op: ${WRONG_OP}`, { errors: [{ pointer: "/op", message: WRONG_OP }] });
  }
}

/** Number of fields that the operation writes. */
export const fieldsOf = (operation: RecordOperation) => ("data" in operation ? countFields(operation.data) : 0);

const OperationError = v.object({
  /** Error code, such as `invalid`. */
  code: v.string(),
  /** What was wrong, and what would be right. */
  detail: v.string(),
  /** The invalid fields, at most 5, with JSON Pointers into the body. */
  errors: list(
    v.object({
      /** JSON Pointer into the body of the call. */
      pointer: v.string(),
      /** What is wrong, and what would be right. */
      message: v.string(),
    }),
  ),
});

export const OperationOutcome = v.object({
  /** Position of the operation. */
  index: v.number(),
  /** Status that the single call would respond with: 200, 201 or that of the error. */
  status: v.number(),
  /** Id of the record; null for an error. */
  record_id: v.nullable(v.string()),
  /** The record as written; null for an error, and beyond 16 MiB of records in one response. */
  record: v.nullable(CollectionRecord),
  /** Why the operation failed, or null. */
  error: v.nullable(OperationError),
});
/** The outcome of an operation. */
export interface OperationOutcome extends Readonly<v.InferOutput<typeof OperationOutcome>> {
  /** The record as written; null for an error, and beyond 16 MiB of records in one response. */
  readonly record: CollectionRecord | null;
}

export const BulkResult = v.object({
  /** One outcome for each operation, in the same order. */
  outcomes: list(OperationOutcome),
});
/** The outcomes of a bulk call. */
export interface BulkResult {
  /** One outcome for each operation, in the same order. */
  readonly outcomes: readonly OperationOutcome[];
}

/** The outcome of an operation that failed. */
export function failedOutcome(index: number, error: StepwellError): OperationOutcome {
  const errors = error.errors.slice(0, MAX_ERRORS).map(({ pointer, message }) => ({
    pointer: `/operations/${index}${pointer}`,
    message,
  }));
  const detail = error.publicDetail ?? error.code;
  return { index, status: error.status, record_id: null, record: null, error: { code: error.code, detail, errors } };
}
