/** The input of a process in the test of collections, and its report. */
import type { WriteDeath } from "./mortal-driver.ts";

export interface CollectingOrder {
  readonly base: string;
  readonly app: string;
  readonly collection: string;
  /** The trigger that receives events. */
  readonly received: string;
  /** The trigger that polls. */
  readonly polled: string;
  readonly webhook: string;
  /** Numbers of the events to send, in order; some come twice. */
  readonly events: readonly number[];
  /** The number of items in the source that is polled. */
  readonly items: number;
  readonly death: WriteDeath | null;
}

export interface CollectedRecord {
  readonly id: string;
  readonly version: number;
  /** The event that wrote the record. */
  readonly n: string;
  readonly result: string | undefined;
  /** Versions in its history, newest first. */
  readonly history: readonly number[];
}

export interface CollectingReport {
  readonly count: number;
  /** Newest first. */
  readonly records: readonly CollectedRecord[];
  /** Ids of the records by the indexed field. */
  readonly sorted: readonly string[];
  /** Statuses of the deliveries of both triggers. */
  readonly deliveries: readonly string[];
  readonly jobs: readonly { readonly status: string; readonly done: number; readonly total: number | null }[];
  readonly indexes: readonly string[];
}
