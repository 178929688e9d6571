/** Lets other work go first while records with thousands of fields are processed. */
import type { Clock } from "../../ports/clock.ts";
import { inNextTurn } from "../../time/system-clock.ts";

/** Fields that are processed in one turn of the event loop: about 20 ms. */
const FIELDS_PER_TURN = 20_000;

export interface FieldBudget {
  /** Number of records to process at once. */
  recordsAtOnce(fieldsPerRecord: number): number;
  /** Call this after processing fields. A returned promise resolves in a later turn of the event loop. */
  spend(fields: number): Promise<void> | undefined;
}

export function createFieldBudget(clock: Clock): FieldBudget {
  let spent = 0;
  return {
    recordsAtOnce: (fieldsPerRecord) => Math.max(1, Math.floor(FIELDS_PER_TURN / Math.max(1, fieldsPerRecord))),
    spend(fields) {
      spent += fields;
      if (spent < FIELDS_PER_TURN) return undefined;
      spent = 0;
      return new Promise((resolve) => inNextTurn(clock, resolve));
    },
  };
}
