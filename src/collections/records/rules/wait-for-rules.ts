/** Waits for the rules of a record before a call that writes it returns. */
import type { Clock } from "../../../ports/clock.ts";
import type { Store } from "../../../ports/store.ts";
import { type CollectionRecord, isPending, type RecordDocument } from "../record.ts";
import { recordKey } from "../record-rows.ts";
import type { RecordViews } from "../record-view.ts";
import type { RuleRunner } from "./run-rules.ts";

/** Maximum time to wait for the rules. Slower ones are PENDING in the response. */
const RULES_WAIT_MS = 10_000;

/** Returns the record when its rules have finished or the time is up, or as written if it was deleted meanwhile. */
export type WaitForRules = (document: RecordDocument, signal: AbortSignal | undefined) => Promise<CollectionRecord>;

export function createWaitForRules(parts: {
  store: Store;
  clock: Clock;
  rules: RuleRunner;
  views: RecordViews;
}): WaitForRules {
  const { store, clock, rules, views } = parts;

  /** Settles when `evaluated` settles, the time is up, or the signal aborts. */
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
    const over = new AbortController();
    let shown = document;

    /** Other writes, such as those of a rule itself, start further evaluations. */
    async function evaluated(): Promise<void> {
      for (let before = 0; isPending(shown) && shown.evaluation !== before && !over.signal.aborted; ) {
        before = shown.evaluation;
        await rules.evaluate(shown);
        shown = (await store.get<RecordDocument>(recordKey(document.id)))?.document ?? shown;
      }
    }

    if (!isPending(document)) return views.one(document);
    await soon(
      evaluated().catch(() => undefined),
      signal,
    );
    over.abort();
    shown = (await store.get<RecordDocument>(recordKey(document.id)))?.document ?? shown;
    return views.one(shown);
  };
}
