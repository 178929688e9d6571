/** Programs in a runtime that has no worker threads. */
import type { WorkerProgram } from "./start-worker.ts";

/** @param instead What to pass to `createStepwell`. */
export function programWithoutThreads(instead: string): WorkerProgram {
  const refuse = (): never => {
    throw new Error(`this runtime has no worker threads. ${instead}`);
  };
  return { fromFile: refuse, fromText: async () => refuse() };
}
