/** Prints the heap limits in MiB of a worker thread with a limit of 64 MiB, and of one without a limit that starts afterwards. */
import { Worker } from "node:worker_threads";
import { startWorker, type ThreadOptions, type WorkerProgram } from "../../../adapters/threads/start-worker.ts";

const CODE = `const { parentPort } = require("node:worker_threads");
  parentPort.postMessage("ready");
  parentPort.postMessage(require("node:v8").getHeapStatistics().heap_size_limit / 2 ** 20);`;

const evaluate = (options: ThreadOptions) => new Worker(CODE, { ...options, eval: true });
const program: WorkerProgram = { fromFile: evaluate, fromText: async (options) => evaluate(options) };

const limited = { resourceLimits: { maxOldGenerationSizeMb: 64 } };
for (const options of [limited, {}]) {
  const limit = await new Promise((resolve) => {
    startWorker<never, number>(program, options, { onMessage: resolve, onEnd: resolve });
  });
  console.log(limit);
}
