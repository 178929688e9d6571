/** What whoever writes a record is answered: the record with what its rules say of it, as far as that comes soon. */
import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import { type CollectionRecord, isPending, type RecordDocument } from "./record.ts";
import { recordKey } from "./record-rows.ts";
import type { RecordViews } from "./record-view.ts";
import type { RuleRunner } from "./run-rules.ts";

/** Milliseconds that an answer waits for the rules; those that take longer are PENDING in it, and follow. */
const RULES_WAIT_MS = 10_000;

/** The record when its rules have answered, or when the time for that is up; as it was written, where it is gone. */
export type WaitForRules = (document: RecordDocument, signal: AbortSignal | undefined) => Promise<CollectionRecord>;

export function createWaitForRules(parts: {
  store: Store;
  clock: Clock;
  rules: RuleRunner;
  views: RecordViews;
}): WaitForRules {
  const { store, clock, rules, views } = parts;

  /** Settles when this has settled, when the time is up, or when nobody waits any more. */
  function soon(evaluated: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        disarm();
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const disarm = clock.after(RULES_WAIT_MS, done);
      signal?.addEventListener("abort", done);
      void evaluated.then(done);
      if (signal?.aborted === true) done();
    });
  }

  return async (document, signal) => {
    if (!isPending(document)) return views.one(document);
    await soon(rules.evaluate(document), signal);
    const found = await store.get<RecordDocument>(recordKey(document.id));
    return views.one(found?.document ?? document);
  };
}
