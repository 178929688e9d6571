/** The entry of an extractor's thread: reads one document at a time. */
import { parentPort, workerData } from "node:worker_threads";
import { ExtractError } from "../../src/ports/extractor.ts";
import { overLimit } from "./limits.ts";
import { limitAllocations } from "./memory-limit.ts";
import type { Failure, Job, Outcome, ThreadData } from "./protocol.ts";
import { readDocument } from "./read-document.ts";
import { prepareWorkerGlobals } from "./worker-globals.ts";

const { limits }: ThreadData = workerData;
prepareWorkerGlobals();
const allocations = limitAllocations(limits.memoryBytes);

async function outcomeOf({ document, wanted }: Job): Promise<Outcome> {
  allocations.reset();
  try {
    const extracted = await readDocument(document, wanted, limits);
    // Libraries go on without what they had no room for.
    if (allocations.wereRefused()) return { ok: false, failure: failureOf(overLimit("memoryBytes", limits)) };
    return { ok: true, extracted };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): Failure {
  const told = allocations.wereRefused() ? overLimit("memoryBytes", limits) : error;
  if (!(told instanceof ExtractError)) throw told;
  return { code: told.code, message: told.message, limit: told.limit };
}

async function runJob(job: Job): Promise<void> {
  const outcome = await outcomeOf(job);
  const images = outcome.ok ? outcome.extracted.images : [];
  const buffers = new Set(images.map(({ bytes }) => bytes.buffer).filter((buffer) => buffer instanceof ArrayBuffer));
  parentPort?.postMessage(outcome, [...buffers]);
}

/** A mistake of ours is told to whoever waits, and leaves nothing behind. */
function endThread(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

// Of a broken document PDF.js leaves promises behind that nobody waits for, and some fail when the next one is read. A
// document whose own reading stands still with such a promise ends by the limit of time.
process.on("unhandledRejection", () => undefined);

parentPort?.on("message", (job: Job) => runJob(job).catch(endThread));
