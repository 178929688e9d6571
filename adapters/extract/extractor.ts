/**
 * Extracts documents in worker threads, so that the host's event loop is not blocked and its process is not at risk.
 */
import {
  ExtractError,
  type Extracted,
  type ExtractOptions,
  type Extractor,
  type ExtractorDocument,
  type ExtractRequest,
} from "../../src/ports/extractor.ts";
import { createFairQueue } from "../../src/queues/fair-queue.ts";
import { lacksFile } from "../threads/start-worker.ts";
import { threadCount } from "../threads/thread-count.ts";
import { findFormat, unsupported } from "./format-registry.ts";
import { type ExtractorLimits, limitsOf, overLimit } from "./limits.ts";
import type { Outcome } from "./worker/protocol.ts";
import { startThread, type Thread } from "./worker/thread.ts";
import { extractProgram } from "./worker/worker-program.ts";

export type { ExtractorLimits };

/** Options of the extractor. */
export interface ExtractorOptions extends Partial<ExtractorLimits> {
  /** Maximum number of worker threads. Each reads one document at a time and starts on demand. Default: 2. */
  readonly threads?: number;
}

interface QueuedJob {
  readonly document: ExtractorDocument;
  readonly request: ExtractRequest;
  readonly signal: AbortSignal | undefined;
  readonly tenant: string;
  resolve(outcome: Outcome): void;
  reject(reason: unknown): void;
}

const DEFAULT_THREADS = 2;
/** Milliseconds after which an idle thread ends. */
const IDLE_TIMEOUT_MS = 30_000;

/** Threads started from text contain no package of the user. */
const IN_A_BUNDLE =
  ". In a bundle of ES modules, also build stepwell/extract/worker, as stepwell-extract-worker.js next to it; " +
  "CommonJS bundles and compiled programs cannot read this type";

/**
 * Reads PDF, Office, OpenDocument, HTML, e-mail and text. PDF requires the package `unpdf` and DOCX requires `mammoth`;
 * other formats need no packages. Idle threads don't keep the process alive.
 *
 * @example
 * ```ts
 * const extractor = createExtractor({ timeoutMs: 10_000 });
 * const { text } = await extractor.extract({ name: "a.pdf", mime_type: "application/pdf", bytes }, { text: true, images: false });
 * ```
 */
export function createExtractor({
  threads: threadOption = DEFAULT_THREADS,
  ...limitOptions
}: ExtractorOptions = {}): Extractor {
  const maxThreads = threadCount(threadOption);
  const limits = limitsOf(limitOptions);
  const threads = new Set<Thread>();
  const idle = new Map<Thread, ReturnType<typeof setTimeout>>();
  const queue = createFairQueue<QueuedJob>();
  let isClosed = false;

  function dispatch(): void {
    while (queue.size > 0 && (idle.size > 0 || threads.size < maxThreads)) {
      const next = queue.take();
      if (next !== undefined) void runOn(takeThread(), next);
    }
  }

  function takeThread(): Thread {
    for (const [thread, timer] of idle) {
      clearTimeout(timer);
      idle.delete(thread);
      return thread;
    }
    const started = startThread(limits, (thread) => {
      threads.delete(thread);
      clearTimeout(idle.get(thread));
      idle.delete(thread);
    });
    threads.add(started);
    return started;
  }

  async function runOn(thread: Thread, { document, request, signal, resolve, reject }: QueuedJob): Promise<void> {
    const onAbort = () => void thread.end(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const outcome = await thread.run({ document, request });
      resolve(outcome);
      // The thread still holds the memory that exceeded the limit.
      if (!outcome.ok && outcome.failure.limit === "memoryBytes") void thread.end(undefined);
    } catch (error) {
      reject(error);
    }
    signal?.removeEventListener("abort", onAbort);
    if (threads.has(thread)) {
      const timer = setTimeout(() => void thread.end(undefined), IDLE_TIMEOUT_MS);
      timer.unref();
      idle.set(thread, timer);
    }
    if (!isClosed) dispatch();
  }

  function enqueue(document: ExtractorDocument, request: ExtractRequest, options: ExtractOptions): Promise<Outcome> {
    const { signal, tenant = "" } = options;
    return new Promise((resolve, reject) => {
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener("abort", onAbort);
          settle(value);
        };
      const job = { document, request, signal, tenant, resolve: settled(resolve), reject: settled(reject) };
      const onAbort = () => {
        queue.remove(tenant, job);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      queue.add(tenant, job);
      dispatch();
    });
  }

  async function extract(
    document: ExtractorDocument,
    request: ExtractRequest,
    options: ExtractOptions,
  ): Promise<Extracted> {
    if (isClosed) throw closedError();
    options.signal?.throwIfAborted();
    const format = findFormat(document.mime_type);
    if (format === undefined) throw unsupported(document.mime_type);
    if (document.bytes.length === 0 && format.mayBeEmpty !== true) throw new ExtractError("damaged", "it is empty");
    if (document.bytes.length > limits.fileBytes) throw overLimit("fileBytes", limits);
    const outcome = await enqueue(document, request, options);
    if (outcome.ok) return outcome.extracted;
    const { code, message, limit } = outcome.failure;
    const hint = code === "not_installed" && lacksFile(extractProgram) ? IN_A_BUNDLE : "";
    throw new ExtractError(code, message + hint, { limit });
  }

  return {
    name: "documents",
    maxSize: limits.fileBytes,
    supports: (mimeType) => findFormat(mimeType) !== undefined,
    async extract(document, request, options = {}) {
      try {
        return await extract(document, request, options);
      } catch (error) {
        if (!(error instanceof ExtractError) || error.code === "canceled") throw error;
        throw about(document, error);
      }
    },
    async close() {
      isClosed = true;
      for (let job = queue.take(); job !== undefined; job = queue.take()) job.reject(closedError());
      await Promise.all([...threads].map((thread) => thread.end(closedError())));
    },
  };
}

function about({ name }: ExtractorDocument, { code, message, limit, cause }: ExtractError): ExtractError {
  const details = { ...(limit !== undefined && { limit }), cause };
  return new ExtractError(code, `The contents of ${JSON.stringify(name)} cannot be read: ${message}.`, details);
}

function closedError(): ExtractError {
  return new ExtractError("canceled", "The extractor is closed.");
}
