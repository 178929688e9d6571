/** Decides which operations of a bulk call may run at the same time. Pure. */
import type { RecordOperation } from "./record-operation.ts";

export interface Indexed {
  readonly index: number;
  readonly operation: RecordOperation;
}

/** Operations that run one after the other, because they may write the same record. */
export type Chain = readonly Indexed[];

/**
 * Stages that run one after the other; the chains of a stage run at the same time. The result is the same as if all
 * operations ran one after the other. All operations of a stage look up records in the same way, by id or by the same field, so
 * different ids or values mean different records.
 */
export function stagesOf(operations: readonly Indexed[]): readonly (readonly Chain[])[] {
  const stages: Map<string, Indexed[]>[] = [];
  let last: string | undefined;
  for (const indexed of operations) {
    const way = wayOf(indexed.operation);
    if (way !== last) stages.push(new Map());
    last = way;
    const chains = stages.at(-1);
    const subject = subjectOf(indexed);
    const chain = chains?.get(subject);
    if (chain === undefined) chains?.set(subject, [indexed]);
    else chain.push(indexed);
  }
  return stages.map((chains) => [...chains.values()]);
}

function wayOf(operation: RecordOperation): string {
  return operation.op === "upsert" ? `upsert ${operation.path}` : operation.op;
}

function subjectOf({ index, operation }: Indexed): string {
  switch (operation.op) {
    case "create":
      return operation.key === undefined ? `new ${index}` : `key ${operation.key}`;
    case "update":
      return operation.record_id;
    case "upsert":
      return JSON.stringify(operation.value);
  }
}
