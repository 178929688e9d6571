/** Which slot each run of this process holds: from the moment at which it is stored until it leaves memory. */

import type { RunDocument } from "../state/run-document.ts";
import type { RunQueue, Slot } from "./run-queue.ts";

export interface RunSlots {
  has(runId: string): boolean;
  /** Gives a stored run its slot. One that it had is given back, unless it is the better of the two. */
  assign(runId: string, slot: Slot): void;
  /** The slot of a run that is about to go on; one is taken where it has none. */
  of(document: RunDocument): Slot;
  /** Gives back what a run holds, if it holds anything. */
  release(runId: string): void;
}

export function createRunSlots(queue: RunQueue): RunSlots {
  const slots = new Map<string, Slot>();

  return {
    has: (runId) => slots.has(runId),

    assign(runId, slot) {
      const before = slots.get(runId);
      if (before === slot) return;
      if (before?.isAdmitted === true) return slot.release();
      slots.set(runId, slot);
      before?.release();
    },

    of(document) {
      let slot = slots.get(document.id);
      if (slot === undefined) {
        slot = queue.reenter(document);
        slots.set(document.id, slot);
      }
      return slot;
    },

    release(runId) {
      const slot = slots.get(runId);
      slots.delete(runId);
      slot?.release();
    },
  };
}
