/** The program of an extractor's threads. */
import { Worker } from "node:worker_threads";
import type { WorkerProgram } from "../../threads/start-worker.ts";

export const extractProgram: WorkerProgram = {
  fromFile: ({ workerData, resourceLimits, execArgv }) =>
    new Worker(new URL("./stepwell-extract-worker.ts", import.meta.url), {
      env: {},
      workerData,
      resourceLimits,
      execArgv,
    }),
  async fromText(options) {
    const { default: text } = await import("./worker-text.ts");
    return new Worker(text, { ...options, env: {}, eval: true });
  },
};
