/** The entry of a sandbox's thread: takes one call at a time, and has a QuickJS as new for each. */
import { parentPort, workerData } from "node:worker_threads";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import { LRUCache } from "lru-cache";
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { createMemoryCap } from "./memory-cap.ts";
import { type Failed, type FromThread, type Job, type Outcome, overLimit, type ThreadData } from "./protocol.ts";
import { createQuickjsRuntime, isStackOverflow } from "./quickjs-runtime.ts";
import { type SyntaxProblem, stripTypes } from "./strip-types.ts";

/** WebAssembly memory grows and never shrinks: a thread that holds more than this makes way for a new one. */
const MAX_MEMORY_BYTES = 96 * MEBIBYTE;

/** Characters of TypeScript and its JavaScript that a thread keeps. */
const MAX_CACHED_CHARS = MEBIBYTE;

const { canceled }: ThreadData = workerData;
const module = await newQuickJSWASMModuleFromVariant(variant);
const cap = createMemoryCap(module.getWasmMemory());
const quickjs = createQuickjsRuntime(module, cap);

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

/** TypeScript that was met, as JavaScript. */
const stripped = new LRUCache<string, string>({
  maxSize: MAX_CACHED_CHARS,
  sizeCalculation: (js, ts) => js.length + ts.length,
});

/** What is no JavaScript may be TypeScript; read as JavaScript first, because some texts are both. */
async function outcomeOf(job: Job): Promise<Outcome> {
  const known = stripped.get(job.code);
  if (known !== undefined) return withoutColumn(attempt({ ...job, code: known }));
  const outcome = attempt(job);
  if (outcome.ok || outcome.isUnread !== true || outcome.failure.code !== "code_failed") return outcome;
  const found = await stripTypes(job.code);
  if (found === null) return outcome;
  if (!found.ok) return laterError(outcome, found.problem);
  quickjs.reset();
  const second = attempt({ ...job, code: found.code });
  if (second.ok || second.isUnread !== true) stripped.set(job.code, found.code);
  return withoutColumn(second);
}

/** The reader that came further in the code knows better what is wrong with it. */
function laterError(outcome: Failed, { message, line }: SyntaxProblem): Outcome {
  if ((outcome.failure.line ?? 0) >= line) return outcome;
  return { ok: false, failure: { ...outcome.failure, message, line } };
}

/** Where types are left out, columns are not those that were written. */
function withoutColumn(outcome: Outcome): Outcome {
  if (outcome.ok) return outcome;
  const message = outcome.failure.message.replace(/, column \d+\)$/, ")");
  return { ...outcome, failure: { ...outcome.failure, message } };
}

function attempt(job: Job): Outcome {
  return quickjs.run(job, () => Atomics.load(canceled, 0) === job.id);
}

async function runJob(job: Job): Promise<void> {
  let outcome: Outcome;
  try {
    outcome = await outcomeOf(job);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    return send({ outcome: { ok: false, failure: overLimit("stackBytes", job.limits) }, isSpent: true });
  }
  const isSpent = module.getWasmMemory().buffer.byteLength > MAX_MEMORY_BYTES;
  send({ outcome, isSpent });
  if (!isSpent) quickjs.reset();
}

parentPort?.on("message", (job: Job) => void runJob(job)); // what it throws ends the thread

send("ready");
