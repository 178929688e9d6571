/** Entry point of a sandbox's thread. It runs one call at a time, each in a restored QuickJS. */
import { parentPort, workerData } from "node:worker_threads";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import { LRUCache } from "lru-cache";
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { createMemoryCap } from "./memory-cap.ts";
import { type Failed, type FromThread, type Job, type Outcome, overLimit, type ThreadData } from "./protocol.ts";
import { createQuickjsRuntime, isStackOverflow } from "./quickjs-runtime.ts";
import { type SyntaxProblem, stripTypes } from "./strip-types.ts";

/** Maximum memory of a thread, in bytes, before it is replaced. WebAssembly memory never shrinks. */
const MAX_MEMORY_BYTES = 96 * MEBIBYTE;

/** Maximum length of cached TypeScript and JavaScript per thread, in characters. */
const MAX_CACHED_CHARS = MEBIBYTE;

const { canceled }: ThreadData = workerData;
const module = await newQuickJSWASMModuleFromVariant(variant);
const cap = createMemoryCap(module.getWasmMemory());
const quickjs = createQuickjsRuntime(module, cap);

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

/** Caches TypeScript that was converted to JavaScript. */
const stripped = new LRUCache<string, string>({
  maxSize: MAX_CACHED_CHARS,
  sizeCalculation: (js, ts) => js.length + ts.length,
});

/**
 * Runs the code as JavaScript, and as TypeScript if that fails to parse. JavaScript first, because some code is both.
 */
async function outcomeOf(job: Job): Promise<Outcome> {
  const known = stripped.get(job.code);
  if (known !== undefined) return withoutColumn(attempt({ ...job, code: known }));
  const outcome = attempt(job);
  if (outcome.ok || outcome.hasSyntaxError !== true || outcome.failure.code !== "code_failed") return outcome;
  const found = await stripTypes(job.code);
  if (found === null) return outcome;
  if (!found.ok) return laterError(outcome, found.problem);
  quickjs.reset();
  const second = attempt({ ...job, code: found.code });
  if (second.ok || second.hasSyntaxError !== true) stripped.set(job.code, found.code);
  return withoutColumn(second);
}

/** Returns the syntax error that is later in the code: that parser has understood more of it. */
function laterError(outcome: Failed, { message, line }: SyntaxProblem): Outcome {
  if ((outcome.failure.line ?? 0) >= line) return outcome;
  return { ok: false, failure: { ...outcome.failure, message, line } };
}

/** Removes columns from messages, because removing types changes them. */
function withoutColumn(outcome: Outcome): Outcome {
  if (outcome.ok) return outcome;
  const message = outcome.failure.message.replace(/, column \d+\)$/, ")");
  return { ...outcome, failure: { ...outcome.failure, message } };
}

function attempt(job: Job): Outcome {
  return quickjs.run(job, {
    isCanceled: () => Atomics.load(canceled, 0) === job.id,
    sleep(milliseconds) {
      const seen = Atomics.load(canceled, 0);
      if (seen !== job.id) Atomics.wait(canceled, 0, seen, milliseconds);
    },
  });
}

async function runJob(job: Job): Promise<void> {
  let outcome: Outcome;
  try {
    outcome = await outcomeOf(job);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    return send({ outcome: { ok: false, failure: overLimit("stackBytes", job.limits) }, isExhausted: true });
  }
  const isExhausted = module.getWasmMemory().buffer.byteLength > MAX_MEMORY_BYTES;
  send({ outcome, isExhausted });
  if (!isExhausted) quickjs.reset();
}

parentPort?.on("message", (job: Job) => void runJob(job)); // an unhandled rejection terminates the thread

send("ready");
