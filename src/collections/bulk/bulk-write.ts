/** Executes the operations of a bulk call, each in a commit of its own. */
import * as v from "valibot";
import type { RepeatableParts } from "../../documents/receipt.ts";
import { MEBIBYTE } from "../../encoding/bytes.ts";
import { isStepwellError, StepwellError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Collections } from "../collections.ts";
import { createFieldBudget } from "../records/field-budget.ts";
import { CollectionRecord } from "../records/record.ts";
import type { CollectionRef, Records, WriteReceipt } from "../records/records.ts";
import type { Writer } from "../records/writer.ts";
import { type Chain, type Indexed, stagesOf } from "./operation-order.ts";
import {
  type BulkResult,
  checkOperation,
  failedOutcome,
  fieldsOf,
  type OperationOutcome,
  type RecordBulk,
  type RecordOperation,
} from "./record-operation.ts";

/** Operations that run at the same time. Fewer if their records are wide. */
const CONCURRENCY = 16;
/** Characters of all records in a response, counted by their data. */
const MAX_RECORDS_CHARS = 16 * MEBIBYTE;

/** The outcome of an operation, as stored for repeated calls. */
const Done = v.object({ status: v.picklist([200, 201]), record: CollectionRecord });

export interface BulkWrites {
  /**
   * Returns an outcome for each operation, without waiting for rules. A failed operation does not stop the others. A
   * repeated call executes only those that have not succeeded.
   * @throws StepwellError `not_found`
   */
  write(at: CollectionRef, input: RecordBulk, writer: Writer, parts: RepeatableParts): Promise<BulkResult>;
}

export function createBulkWrites(slices: {
  clock: Clock;
  logger: Logger;
  records: Pick<Records, "create" | "update" | "upsert">;
  collections: Pick<Collections, "forWriting">;
}): BulkWrites {
  const { clock, logger, records, collections } = slices;

  function execute(at: CollectionRef, operation: RecordOperation, writer: Writer, receipt: WriteReceipt) {
    switch (operation.op) {
      case "create": {
        const { op: _, ...input } = operation;
        return records.create(at, input, receipt, writer);
      }
      case "update": {
        const { op: _, record_id, ...input } = operation;
        return records.update({ ...at, record_id }, input, writer, undefined, receipt);
      }
      case "upsert": {
        const { op: _, ...input } = operation;
        return records.upsert(at, input, receipt, writer);
      }
    }
  }

  return {
    async write(at, { operations }, writer, parts) {
      await collections.forWriting(at.app_id, at.collection_id);
      await parts.begin();
      const outcomes = new Map<number, OperationOutcome>();
      const budget = createFieldBudget(clock);
      let widest = 0;
      let chars = 0;
      /** After it, every operation would wait for the storage until its time is up. */
      let unavailable: StepwellError | undefined;

      async function run({ index, operation }: Indexed): Promise<OperationOutcome> {
        const done = await parts.once(String(index), async (receipt) => {
          let status: 200 | 201 = 200;
          const record = await execute(at, operation, writer, (written, outcome) => {
            status = outcome === "created" ? 201 : 200;
            return receipt({ status, record: written });
          });
          return { status, record };
        });
        const { status, record } = v.parse(Done, done);
        chars += JSON.stringify(record.data).length;
        const shown = chars <= MAX_RECORDS_CHARS ? record : null;
        return { index, status, record_id: record.id, record: shown, error: null };
      }

      async function runOrFail(indexed: Indexed): Promise<OperationOutcome> {
        if (unavailable !== undefined) return failedOutcome(indexed.index, unavailable);
        try {
          return await run(indexed);
        } catch (error) {
          if (!isStepwellError(error)) logger.error("a bulk operation failed", { index: indexed.index, error });
          const known = isStepwellError(error)
            ? error
            : new StepwellError("internal", "See the server log for the cause.");
          if (known.code === "unavailable") unavailable = known;
          return failedOutcome(indexed.index, known);
        }
      }

      const valid: Indexed[] = [];
      for (const [index, given] of operations.entries()) {
        try {
          const operation = checkOperation(given);
          valid.push({ index, operation });
          const fields = fieldsOf(operation);
          widest = Math.max(widest, fields);
          await budget.spend(fields);
        } catch (error) {
          if (!isStepwellError(error)) throw error;
          outcomes.set(index, failedOutcome(index, error));
        }
      }
      async function runAndSpend(indexed: Indexed): Promise<void> {
        outcomes.set(indexed.index, await runOrFail(indexed));
        await budget.spend(fieldsOf(indexed.operation));
      }
      const atOnce = Math.min(CONCURRENCY, budget.recordsAtOnce(widest));
      for (const chains of stagesOf(valid)) await forEachChain(chains, runAndSpend, atOnce);
      return { outcomes: operations.flatMap((_, index) => outcomes.get(index) ?? []) };
    },
  };
}

/** Runs the items of each chain in order, and several chains at the same time. */
export async function forEachChain(
  chains: readonly Chain[],
  act: (indexed: Indexed) => Promise<unknown>,
  atOnce: number,
): Promise<void> {
  const open = chains.values();
  async function work(): Promise<void> {
    for (const chain of open) for (const indexed of chain) await act(indexed);
  }
  await Promise.all(Array.from({ length: atOnce }, work));
}
