/**
 * Executes code steps in QuickJS (WebAssembly) on reused worker threads, so that the host's event loop is not blocked.
 */
import { availableParallelism } from "node:os";
import type { Sandbox } from "../../src/ports/sandbox.ts";
import { threadCount } from "../threads/thread-count.ts";
import { createSandbox } from "./call-pool.ts";
import { startThread } from "./worker/thread.ts";

/** Options of the sandbox. */
export interface QuickjsSandboxOptions {
  /**
   * Maximum number of worker threads. Each runs one call at a time and starts on demand. Default: the number of CPUs,
   * but at least 2 and at most 4.
   */
  readonly threads?: number;
}

/**
 * Creates a sandbox that starts threads on demand and reuses them. Idle threads don't keep the process alive. If code
 * cannot be interrupted, its thread is terminated and its logs are lost.
 */
export function createQuickjsSandbox(options: QuickjsSandboxOptions = {}): Sandbox {
  const maxThreads = threadCount(options.threads ?? Math.min(4, Math.max(2, availableParallelism())));
  return createSandbox({ maxThreads, startThread });
}
