/** A use in one process and a deletion in the other one, in each order of their moments. */
import type { Changes, HeldProcesses } from "./held-processes.ts";

/** One process checks that a resource exists, and commits its use; the other looks for users, and deletes it. */
export type Moment = "check" | "commit" | "search" | "delete";
export const ORDERS: readonly (readonly [Moment, Moment, Moment, Moment])[] = [
  ["check", "commit", "search", "delete"],
  ["check", "search", "commit", "delete"],
  ["check", "search", "delete", "commit"],
  ["search", "check", "commit", "delete"],
  ["search", "check", "delete", "commit"],
  ["search", "delete", "check", "commit"],
];

export interface Race {
  use(): Promise<unknown>;
  remove(): Promise<unknown>;
  isUse(changes: Changes): boolean;
  isDeletion(changes: Changes): boolean;
}

/** @returns Of each call, that it was done, or the code of its error. */
export async function race(processes: HeldProcesses, order: readonly Moment[], calls: Race) {
  const { one, other, until, finish } = processes;
  const commit = other.hold(calls.isUse);
  const deletion = one.hold(calls.isDeletion);
  const outcomes: { used?: string; removed?: string } = {};
  const ended: Promise<void>[] = [];
  async function watch(call: "used" | "removed", promise: Promise<unknown>): Promise<void> {
    const [result] = await Promise.allSettled([promise]);
    outcomes[call] = result.status === "fulfilled" ? "done" : result.reason.code;
  }
  for (const moment of order) {
    if (moment === "check") ended.push(watch("used", calls.use()));
    if (moment === "search") ended.push(watch("removed", calls.remove()));
    if (moment === "commit") commit.release();
    if (moment === "delete") deletion.release();
    await until(() => {
      if (moment === "check") return commit.isReached || outcomes.used !== undefined || isClosed(processes);
      if (moment === "commit") return outcomes.used !== undefined || isClosed(processes);
      return (moment === "search" && deletion.isReached) || outcomes.removed !== undefined;
    });
  }
  await finish(Promise.all(ended));
  return outcomes;
}

/** Whether a resource is being deleted, so that the other process waits. */
function isClosed({ data }: HeldProcesses): boolean {
  return [...data.documents].some(
    ([key, { json }]) => key.startsWith("closing:") && !json.includes('"closed_until":null'),
  );
}
