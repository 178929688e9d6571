/** A run as it stands in storage. */
import { StepwellError } from "../errors.ts";
import type { Store } from "../ports/store.ts";
import type { Recorded } from "./history.ts";
import { load, readJournal } from "./journal.ts";
import type { Replay } from "./replay.ts";
import { isOver, type RunDocument, showEnded, showRunning } from "./run-document.ts";

export async function recordedOf(document: RunDocument, store: Store, replay: Replay): Promise<Recorded> {
  if (isOver(document)) {
    const outputs = (document.steps ?? []).map(({ output }) => output);
    return { run: showEnded(document, await load(store, outputs)), order: document.order ?? [] };
  }
  const found = await replay.run(document, (await readJournal(store, document.id)).entries);
  if ("code" in found) throw new StepwellError("conflict", `The run cannot be shown: ${found.message}`);
  return { run: showRunning(document, found.plan, found.progress), order: found.progress.order };
}
