/** Entry point of a sandbox's thread. It runs one call at a time, each in a restored QuickJS. */
import { parentPort, workerData } from "node:worker_threads";
import { READY } from "../../threads/start-worker.ts";
import { createCodeRunner } from "../code-runner.ts";
import type { Answer, Job, ThreadData } from "../protocol.ts";
import { quickjsVariant } from "../quickjs-variant.ts";
import { inBytes } from "./parcel-bytes.ts";

const { canceled }: ThreadData = workerData;

/** An error ends the thread, as an unhandled rejection. */
async function start(): Promise<void> {
  const runner = await createCodeRunner(quickjsVariant);
  parentPort?.on("message", async (job: Job) => {
    const answer = await runner.run(job, {
      isCanceled: () => Atomics.load(canceled, 0) === job.id,
      wait(milliseconds) {
        const seen = Atomics.load(canceled, 0);
        if (seen !== job.id) Atomics.wait(canceled, 0, seen, milliseconds);
      },
    });
    const buffers: ArrayBuffer[] = [];
    parentPort?.postMessage(inTransit(answer, buffers), buffers);
    if (!answer.isExhausted) runner.reset();
  });
  parentPort?.postMessage(READY);
}

function inTransit(answer: Answer, buffers: ArrayBuffer[]): Answer {
  const { outcome } = answer;
  return outcome.ok ? { ...answer, outcome: { ...outcome, result: inBytes(outcome.result, buffers) } } : answer;
}

void start();
