/** The entry of a sandbox's thread: takes one call at a time, and has a fresh QuickJS ready before the next. */
import { parentPort, workerData } from "node:worker_threads";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";
import { createCeiling } from "./ceiling.ts";
import { createMachine, isStackOverflow } from "./machine.ts";
import { type FromThread, type Job, type Outcome, overLimit, type ThreadData } from "./protocol.ts";

/** WebAssembly memory grows and never shrinks: a thread that holds more than this makes way for a new one. */
const KEPT_MEMORY = 96 * 1024 * 1024;

const { canceled }: ThreadData = workerData;
const module = await newQuickJSWASMModuleFromVariant(variant);
const ceiling = createCeiling(module.getWasmMemory());
let machine = createMachine(module, ceiling);

function tell(message: FromThread): void {
  parentPort?.postMessage(message);
}

parentPort?.on("message", (job: Job) => {
  let outcome: Outcome;
  try {
    outcome = machine.run(job, () => Atomics.load(canceled, 0) === job.id);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    tell({ failure: overLimit("stack", job.limits) });
    tell("spent");
    return;
  }
  tell(outcome);
  machine.dispose();
  if (module.getWasmMemory().buffer.byteLength > KEPT_MEMORY) return tell("spent");
  machine = createMachine(module, ceiling);
  tell("ready");
});

tell("ready");
