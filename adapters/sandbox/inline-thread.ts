/** Takes the place of a worker thread, on the thread of the caller. */
import { clearTimeout, setImmediate, setTimeout } from "node:timers";
import type { QuickJSSyncVariant } from "quickjs-emscripten-core";
import { unlessAborted } from "../../src/time/unless-aborted.ts";
import type { Thread, ThreadCall, ThreadEvents } from "./call-pool.ts";
import { type CodeRunner, createCodeRunner } from "./code-runner.ts";
import { createExecutionClock } from "./execution-clock.ts";
import { createThreadGlobals } from "./globals.ts";
import type { Outcome } from "./protocol.ts";

export function startInlineThread(variant: QuickJSSyncVariant, events: ThreadEvents): Thread {
  const kept = createThreadGlobals(events.texts);
  const ended = new AbortController();
  const started = createCodeRunner(variant, createExecutionClock());

  function exit(error?: Error): void {
    if (!ended.signal.aborted) events.onExit(error);
  }

  async function execute(runner: CodeRunner, call: ThreadCall, signals: readonly AbortSignal[]): Promise<Outcome> {
    await eventLoopTurn(); // between calls, for everything else
    const globals = globalsOf(call);
    const { outcome, isExhausted } = await runner.run(
      { ...call, id: 1, globals },
      {
        isCanceled: () => signals.some(({ aborted }) => aborted),
        wait: (milliseconds) => delay(milliseconds, signals),
      },
    );
    if (isExhausted) {
      exit();
    } else {
      runner.reset();
      queueMicrotask(ready);
    }
    return outcome;
  }

  function globalsOf(call: ThreadCall) {
    try {
      return kept.message(call.globals);
    } catch (cause) {
      queueMicrotask(ready);
      throw new TypeError("The globals of the code are not JSON.", { cause });
    }
  }

  function ready(): void {
    if (!ended.signal.aborted) events.onReady();
  }

  started.then(ready, exit);
  return {
    prepare: kept.prepare,
    async run(call, signal) {
      const signals = signal === undefined ? [ended.signal] : [ended.signal, signal];
      return await unlessAborted(execute(await started, call, signals), ended.signal);
    },
    async end(reason) {
      ended.abort(reason);
      events.onExit();
    },
  };
}

function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves after the time or when a signal aborts. */
function delay(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    for (const signal of signals) signal.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
