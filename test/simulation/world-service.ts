/** The service that steps call: records calls, responds after a delay, and fails as the input of the run says. */
import * as v from "valibot";
import { type AnyService, defineService, RetryableError } from "../../src/index.ts";
import { STEP_BEHAVIORS } from "./definitions.ts";
import type { Model } from "./model.ts";
import { type SimulatedProcess, START } from "./process.ts";
import type { Timeline } from "./timeline.ts";

/** Longer than any call takes. */
const TIMEOUT = 3_600_000;

const Work = v.object({
  name: v.string(),
  step: v.string(),
  milliseconds: v.number(),
  behavior: v.picklist(STEP_BEHAVIORS),
  is_child: v.boolean(),
});

export function createWorldService(process: SimulatedProcess, timeline: Timeline, model: Model): AnyService {
  const wait = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const cancel = timeline.after(milliseconds, resolve, process);
      const abort = () => {
        cancel();
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
    });

  return defineService({
    name: "world",
    actions: {
      work: {
        input: Work,
        output: v.string(),
        timeoutMs: TIMEOUT,
        maxAttempts: 3,
        async run({ name, step, milliseconds, behavior, is_child }, { run_id, idempotencyKey, signal }) {
          if (process.state === "dead") return wait(TIMEOUT, signal).then(() => "");
          const at = START + Math.floor(timeline.now);
          const tries = behavior === "flaky" ? 2 : 1;
          const call = { process, name, step, run: run_id, key: idempotencyKey, isChild: is_child, at, tries };
          const { attempts, isRetried, end } = model.called(call);
          try {
            const isDeadly = behavior === "poison" && !isRetried;
            if (isDeadly) process.crash(`poisoned by ${name}`);
            if (isDeadly || milliseconds > 0) await wait(milliseconds, signal);
            if (behavior === "flaky" && attempts === 1) throw new RetryableError("The first try fails.");
            if (behavior === "broken") throw new Error("Fails always.");
            if (behavior === "fail" && !isRetried) throw new Error("Fails until the run is retried.");
            return step;
          } finally {
            end();
          }
        },
      },
    },
  });
}
