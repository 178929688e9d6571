/** One run in memory: the operations that callers invoke on its loop. */

import { StepwellError } from "../../errors.ts";
import type { RunStep } from "../../runs/run-step.ts";
import { isEnded } from "../state/run-document.ts";
import { isOver, isStoring } from "./execution-state.ts";
import type { Execution, ExecutionContext, LoadedRun } from "./execution-types.ts";
import { createRunLoop } from "./run-loop.ts";

/** How long a reader waits for a commit before it gets the stored state. */
const READ_TIMEOUT_MS = 250;

export function createExecution(loaded: LoadedRun, context: ExecutionContext): Execution {
  const { clock } = context;
  const loop = createRunLoop(loaded, context);
  const { commits } = loop;

  async function untilStored(): Promise<void> {
    if (isStoring(loop.state())) await commits.next();
  }

  return {
    appId: loaded.document.app_id,

    execute: loop.execute,

    snapshot: () =>
      new Promise((resolve) => {
        if (!isStoring(loop.state())) return resolve(loop.read());
        const cancel = clock.after(READ_TIMEOUT_MS, () => resolve(null));
        commits.add(() => {
          cancel();
          resolve(loop.read());
        });
      }),

    async end(error) {
      loop.requestEnd({ status: error === null ? "canceled" : "failed", error });
      while (!isOver(loop.state())) await untilStored();
      return isEnded(loop.document());
    },

    async provide(index, value, wait) {
      if (isOver(loop.state())) return false;
      if (!loop.isWaiting(index, wait)) {
        const status = loop.read()?.run.steps[index]?.status;
        // The run may have been loaded only for this call; nothing else would evict or execute it.
        if (!loop.evictIfIdle()) await loop.execute();
        throw new StepwellError("conflict", notWaiting(status));
      }
      return loop.provide(index, value);
    },

    async receive(events) {
      if (isOver(loop.state())) return { settled: [], isComplete: false };
      const received = await loop.receive(events);
      // The run may have been loaded only for this call.
      if (received.settled.every((count) => count === 0) && !loop.evictIfIdle()) await loop.execute();
      return received;
    },

    async resume() {
      if (isOver(loop.state())) return false;
      // A commit that is in progress doesn't include what follows. Its writer checks the timers afterwards.
      const wasStoring = isStoring(loop.state());
      await loop.execute();
      if (wasStoring) await untilStored();
      await untilStored();
      if (loop.isOutdated()) return false;
      const unstored = loop.unstored();
      if (unstored !== null) throw unstored;
      return true;
    },

    async suspend(timeUp) {
      loop.stopStarting();
      let isTimeUp = false;
      void timeUp.then(() => {
        isTimeUp = true;
      });
      while (!isOver(loop.state()) && !isTimeUp && loop.isWorking()) {
        await Promise.race([timeUp, commits.next()]);
      }
      await loop.interrupt();
    },
  };
}

/** A step with an outcome that is not stored yet still shows as waiting. */
function notWaiting(status: RunStep["status"] | undefined): string {
  const actual = status === undefined || status === "waiting" ? "" : ` Its status is ${status}.`;
  return `The step is not waiting for input.${actual}`;
}
