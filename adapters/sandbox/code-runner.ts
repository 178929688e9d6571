/** Runs calls one after the other in one QuickJS, as JavaScript or TypeScript. */
import { LRUCache } from "lru-cache";
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from "quickjs-emscripten-core";
import { MEBIBYTE } from "../../src/encoding/bytes.ts";
import { createMemoryCap } from "./memory-cap.ts";
import { type Answer, type Failed, type Job, type Outcome, overLimit } from "./protocol.ts";
import { createQuickjsRuntime, isStackOverflow } from "./quickjs-runtime.ts";
import { type SyntaxProblem, stripTypes } from "./strip-types.ts";

export interface CodeRunner {
  /** Runs a call. Throws only if QuickJS itself fails. */
  run(job: Job, control: CallControl): Promise<Answer>;
  /** Discards what the call has left behind. Call it before the next call. After an exhausted answer, drop the runner. */
  reset(): void;
}

export interface CallControl {
  /** Called repeatedly while the code runs. The code stops when it returns true. */
  isCanceled(): boolean;
  /** Waits for so many milliseconds, or until the call is canceled. Called when the code waits for a timer. */
  wait(milliseconds: number): Promise<void> | void;
}

/** Maximum memory of a QuickJS, in bytes, before it is replaced. WebAssembly memory never shrinks. */
const MAX_MEMORY_BYTES = 96 * MEBIBYTE;

/** Maximum length of cached TypeScript and JavaScript, in characters. */
const MAX_CACHED_CHARS = MEBIBYTE;

/** @param now Returns milliseconds. */
export async function createCodeRunner(
  variant: QuickJSSyncVariant,
  now: () => number = () => performance.now(),
): Promise<CodeRunner> {
  const module = await newQuickJSWASMModuleFromVariant(variant);
  const quickjs = createQuickjsRuntime(module, createMemoryCap(module.getWasmMemory()), now);

  /** Caches TypeScript that was converted to JavaScript. */
  const stripped = new LRUCache<string, string>({
    maxSize: MAX_CACHED_CHARS,
    sizeCalculation: (js, ts) => js.length + ts.length,
  });

  /** Runs the code as JavaScript, and as TypeScript if that fails to parse. JavaScript first: some code is both. */
  async function outcomeOf(job: Job, control: CallControl): Promise<Outcome> {
    const known = stripped.get(job.code);
    if (known !== undefined) return withoutColumn(await attempt({ ...job, code: known }, control));
    const outcome = await attempt(job, control);
    if (outcome.ok || outcome.hasSyntaxError !== true || outcome.failure.code !== "code_failed") return outcome;
    const found = await stripTypes(job.code);
    if (found === null) return outcome;
    if (!found.ok) return laterError(outcome, found.problem);
    quickjs.reset();
    const second = await attempt({ ...job, code: found.code }, control);
    if (second.ok || second.hasSyntaxError !== true) stripped.set(job.code, found.code);
    return withoutColumn(second);
  }

  async function attempt(job: Job, { isCanceled, wait }: CallControl): Promise<Outcome> {
    const execution = quickjs.run(job, isCanceled);
    for (;;) {
      const { done, value } = execution.next();
      if (done === true) return value;
      await wait(value);
    }
  }

  return {
    async run(job, control) {
      let outcome: Outcome;
      try {
        outcome = await outcomeOf(job, control);
      } catch (error) {
        if (!isStackOverflow(error)) throw error;
        return { outcome: { ok: false, failure: overLimit("stackBytes", job.limits) }, isExhausted: true };
      }
      const isExhausted = module.getWasmMemory().buffer.byteLength > MAX_MEMORY_BYTES;
      return { outcome, isExhausted };
    },
    reset: quickjs.reset,
  };
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
