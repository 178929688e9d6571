/** One request at a time for each unfinished upload: a new one ends the one before it, whose line is most likely dead. */
import { StepwellError } from "../../errors.ts";

export interface Turns {
  /**
   * Acts once nobody else does for this id. Who is at it is asked to end, by its signal, and waited for.
   * @param reason What the one before ends with; left out, a `conflict`: a later request has taken over.
   * @throws StepwellError the `reason` of a later one that came before it was this one's turn; what `act` throws.
   */
  take<T>(id: string, act: (signal: AbortSignal) => Promise<T>, reason?: StepwellError): Promise<T>;
  /** Whether anybody is at it. */
  isTaken(id: string): boolean;
  /** Asks everybody to end, and waits until they have. */
  end(reason: StepwellError): Promise<void>;
}

interface Turn {
  readonly controller: AbortController;
  /** Never rejects. */
  readonly ended: Promise<unknown>;
}

export function createTurns(): Turns {
  const latest = new Map<string, Turn>();

  return {
    async take(id, act, reason = takenOver()) {
      const before = latest.get(id);
      before?.controller.abort(reason);
      const controller = new AbortController();
      const acting = (async () => {
        await before?.ended;
        return act(controller.signal);
      })();
      const turn: Turn = { controller, ended: acting.catch(() => undefined) };
      latest.set(id, turn);
      try {
        return await acting;
      } finally {
        if (latest.get(id) === turn) latest.delete(id);
      }
    },
    isTaken: (id) => latest.has(id),
    async end(reason) {
      const turns = [...latest.values()];
      for (const { controller } of turns) controller.abort(reason);
      await Promise.all(turns.map(({ ended }) => ended));
    },
  };
}

function takenOver(): StepwellError {
  return new StepwellError("conflict", "A later request for the same upload has taken over from this one.");
}
