/** Entry point of an extractor's thread. Reads one document at a time. */
import { parentPort, workerData } from "node:worker_threads";
import { ExtractError } from "../../../src/ports/extractor.ts";
import { READY } from "../../threads/start-worker.ts";
import { overLimit } from "../limits.ts";
import { readDocument } from "../read-document.ts";
import { limitAllocations } from "./memory-limit.ts";
import type { Failure, Job, Outcome, ThreadData } from "./protocol.ts";
import { prepareWorkerGlobals } from "./worker-globals.ts";

if (parentPort === null)
  throw new Error(
    "stepwell/extract/worker is the program of a thread: add it to the entries of a bundle, don't import it.",
  );

const { limits }: ThreadData = workerData;
prepareWorkerGlobals();
const allocations = limitAllocations(limits.memoryBytes);

async function outcomeOf({ document, request }: Job): Promise<Outcome> {
  allocations.reset();
  try {
    const extracted = await readDocument(document, request, limits);
    // Libraries may catch a failed allocation and return an incomplete result.
    if (allocations.wereRefused()) return { ok: false, failure: failureOf(overLimit("memoryBytes", limits)) };
    return { ok: true, extracted };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): Failure {
  const reported = allocations.wereRefused() ? overLimit("memoryBytes", limits) : error;
  if (!(reported instanceof ExtractError)) throw reported;
  return { code: reported.code, message: reported.message, limit: reported.limit };
}

async function runJob(job: Job): Promise<void> {
  const outcome = await outcomeOf(job);
  const images = outcome.ok ? outcome.extracted.images : [];
  const buffers = new Set(images.map(({ bytes }) => bytes.buffer).filter((buffer) => buffer instanceof ArrayBuffer));
  parentPort?.postMessage(outcome, [...buffers]);
}

/** Crashes the thread on an unexpected error, which rejects the job and releases all memory. */
function endThread(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

// For a broken document, PDF.js leaves promises behind that may reject while the next document is read. If reading
// itself waits for such a promise, the time limit ends it.
process.on("unhandledRejection", () => undefined);

parentPort?.on("message", (job: Job) => runJob(job).catch(endThread));
parentPort?.postMessage(READY);
