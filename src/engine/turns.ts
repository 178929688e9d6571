/** Which runs hold a place among those under way, and which wait for one. */
import { type AdmissionLimits, createAdmission } from "./admission.ts";
import type { RunDocument } from "./run-document.ts";

export interface Turns {
  /** A place right away, or a place in the queue. @throws StepwellError `too_many_requests` */
  enter(document: RunDocument): "running" | "queued";
  /** A place right away, or one in the queue however long that is: for a run that waited and goes on. */
  reenter(document: RunDocument): "running" | "queued";
  /** A place in any case: for a run that had one before, or that is part of another. */
  admit(document: RunDocument): void;
  /** A stored run begins, now or when its turn comes. */
  proceed(document: RunDocument): void;
  /** Gives up the place, or the wait for it. */
  leave(document: RunDocument): void;
}

export function createTurns(limits: AdmissionLimits, begin: (document: RunDocument) => void): Turns {
  const admission = createAdmission(limits);
  const admitted = new Set<string>();

  function admit(document: RunDocument): void {
    if (admitted.has(document.id)) return;
    admitted.add(document.id);
    admission.unqueue(document);
    admission.force(document);
  }

  function reenter(document: RunDocument): "running" | "queued" {
    if (admitted.has(document.id)) return "running";
    if (document.parent_run_id !== null) admit(document);
    else if (admission.enter(document)) admitted.add(document.id);
    else return "queued";
    return "running";
  }

  return {
    admit,

    reenter,

    enter(document) {
      const status = reenter(document);
      if (status === "queued") admission.checkQueue();
      return status;
    },

    proceed(document) {
      if (document.status === "running") return begin(document);
      admission.queue(document, () => {
        admitted.add(document.id);
        begin(document);
      });
    },

    leave(document) {
      if (admitted.delete(document.id)) admission.leave(document);
      else admission.unqueue(document);
    },
  };
}
