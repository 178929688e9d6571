/** Executes code steps in QuickJS (WebAssembly) on the thread of the caller, for runtimes without worker threads. */
import { newVariant } from "quickjs-emscripten-core";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { createSandbox } from "./call-pool.ts";
import { startInlineThread } from "./inline-thread.ts";
import { quickjsVariant } from "./quickjs-variant.ts";

/** Options of the sandbox. */
export interface InlineSandboxOptions {
  /**
   * The compiled QuickJS, for runtimes that compile WebAssembly only when they are deployed, such as Cloudflare Workers:
   * `import wasm from "stepwell/sandbox/quickjs.wasm"`. @default the file of the package, compiled when code first runs
   */
  readonly wasm?: object;
}

/**
 * Creates a sandbox for runtimes without worker threads. It has the same limits as `createQuickjsSandbox` and isolates code
 * in the same way, but while code runs, nothing else does: requests wait for up to the time limit of a code step
 * (`limits.code.timeoutMs`). Calls run one after the other.
 *
 * @example
 * ```ts
 * import wasm from "stepwell/sandbox/quickjs.wasm";
 *
 * const stepwell = createStepwell({ sandbox: createInlineSandbox({ wasm }) });
 * ```
 */
export function createInlineSandbox({ wasm }: InlineSandboxOptions = {}): Sandbox {
  const variant = wasm === undefined ? quickjsVariant : newVariant(quickjsVariant, { wasmModule: wasm });
  return createSandbox({ maxThreads: 1, startThread: (events) => startInlineThread(variant, events) });
}
