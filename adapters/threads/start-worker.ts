/**
 * Starts a worker thread from its file, or from the text of its program where there is no file: bundlers that don't support
 * workers leave it behind.
 */
import type { Worker, WorkerOptions } from "node:worker_threads";
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

/** Programs whose file is missing. */
const withoutFile = new WeakSet<WorkerProgram>();

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
  const unsent: In[] = [];
  let worker: Worker | undefined;
  let isReady = false;
  let isNeeded = true;
  let isOver = false;

  function end(error?: Error): void {
    if (isOver) return;
    isOver = true;
    onEnd(error);
  }

  function listen(started: Worker, onFailure: (error?: Error) => void): void {
    worker = started;
    if (!isNeeded) started.unref();
    const fail = (error?: Error) => {
      if (worker === started) (isReady ? end : onFailure)(error);
    };
    started.on("message", (message: Out | typeof READY) => {
      if (isOver) return;
      if (message !== READY) return onMessage(message);
      isReady = true;
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
    try {
      const started = await program.fromText(options);
      if (isOver) await started.terminate();
      else listen(started, end);
    } catch (error) {
      end(new Error(error instanceof Error ? error.message : String(error), { cause }));
    }
  }

  function start(): void {
    if (withoutFile.has(program)) return void startFromText();
    try {
      listen(program.fromFile(options), (error) => void startFromText(error));
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
      await worker?.terminate();
    },
  };
}
