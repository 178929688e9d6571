/**
 * Starts a worker thread from its file, or from the text of its program where there is no file: bundlers that don't support
 * workers leave it behind.
 */
import type { Worker, WorkerOptions } from "node:worker_threads";
import { systemErrorCode } from "../../src/errors.ts";
import { liftHeapFlags } from "./heap-flags.ts";
import { inheritedFlags } from "./inherited-flags.ts";

/** A program for worker threads. Its first message is {@link READY}. */
export interface WorkerProgram {
  /**
   * Starts a thread from the file. Bundlers recognize `new Worker(new URL("…", import.meta.url), { … })`, with all of it
   * literal: a variable instead of the object could contain `eval: true`.
   */
  fromFile(options: ThreadOptions): Worker;
  /** Starts a thread from the text. Used once a thread has failed to start from the file. */
  fromText(options: ThreadOptions): Promise<Worker>;
}

export type ThreadOptions = Pick<WorkerOptions, "workerData" | "resourceLimits" | "execArgv">;

export interface WorkerEvents<Out> {
  onReady?(): void;
  onMessage(message: Out): void;
  /** Called once, when the thread has ended by itself. @param error Set if it failed. */
  onEnd(error?: Error): void;
}

export interface StartedWorker<In> {
  /** Sends a message, or keeps it until the thread is ready. */
  post(message: In): void;
  /** Sets whether the thread keeps the process alive. Initially, it does. */
  keepAlive(isNeeded: boolean): void;
  /** Ends the thread, without `onEnd`. */
  terminate(): Promise<void>;
}

/** What a program sends when it accepts messages. */
export const READY = "ready";

/** Programs whose file is missing, as far as is known: no thread has ever started from it. */
const withoutFile = new WeakSet<WorkerProgram>();
/** Programs of which a thread has started from the file. Later threads may fail, but the file is there. */
const withFile = new WeakSet<WorkerProgram>();

/** A thread that cannot start for this reason could not start from the text either. */
const isOutOfMemory = (error: unknown) => systemErrorCode(error) === "ERR_WORKER_OUT_OF_MEMORY";

/** Whether the file was missing, so that threads start from the text. */
export function lacksFile(program: WorkerProgram): boolean {
  return withoutFile.has(program);
}

export function startWorker<In, Out>(
  program: WorkerProgram,
  given: ThreadOptions,
  { onReady, onMessage, onEnd }: WorkerEvents<Out>,
): StartedWorker<In> {
  const options = { ...given, ...inheritedFlags() };
  const hasHeapLimit = given.resourceLimits?.maxOldGenerationSizeMb !== undefined;
  const restoreHeapFlags = hasHeapLimit ? liftHeapFlags() : () => undefined;
  const unsent: In[] = [];
  let worker: Worker | undefined;
  let isReady = false;
  let isNeeded = true;
  let isOver = false;

  function end(error?: Error): void {
    if (isOver) return;
    isOver = true;
    restoreHeapFlags();
    onEnd(error);
  }

  function listen(started: Worker, onStart: () => void, onFailure: (error?: Error) => void): void {
    worker = started;
    if (!isNeeded) started.unref();
    const fail = (error?: Error) => {
      if (worker !== started || isOver) return;
      if (isReady) end(error);
      else onFailure(error);
    };
    started.on("message", (message: Out | typeof READY) => {
      if (isOver) return;
      if (message !== READY) return onMessage(message);
      isReady = true;
      restoreHeapFlags();
      onStart();
      for (const one of unsent.splice(0)) started.postMessage(one);
      onReady?.();
    });
    started.on("error", fail);
    started.on("exit", () => fail());
  }

  /** @param cause Why the thread could not start from the file. */
  async function startFromText(cause?: unknown): Promise<void> {
    worker = undefined;
    withoutFile.add(program);
    // The file is tried again then: it may be there, and the thread may have failed for another reason.
    const fail = (error?: Error) => {
      withoutFile.delete(program);
      end(new Error(error?.message ?? "The worker thread exited before it was ready.", { cause }));
    };
    try {
      const started = await program.fromText(options);
      if (isOver) await started.terminate();
      else listen(started, () => undefined, fail);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function startFromFile(): void {
    const fail = (error?: Error) => {
      if (withFile.has(program) || isOutOfMemory(error)) end(error);
      else void startFromText(error);
    };
    listen(program.fromFile(options), () => withFile.add(program), fail);
  }

  function start(): void {
    if (withoutFile.has(program)) return void startFromText();
    try {
      startFromFile();
    } catch (error) {
      void startFromText(error); // the bundle has no URL of its own, so there is none of the file
    }
  }

  start();
  return {
    post(message) {
      if (isReady) worker?.postMessage(message);
      else unsent.push(message);
    },
    keepAlive(needed) {
      isNeeded = needed;
      if (needed) worker?.ref();
      else worker?.unref();
    },
    async terminate() {
      isOver = true;
      restoreHeapFlags();
      await worker?.terminate();
    },
  };
}
