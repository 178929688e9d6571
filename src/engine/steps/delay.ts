/** Compiles actions that make the run wait until a time. The run is evicted from memory meanwhile. */

import type { DelayAction } from "../../services/service.ts";
import { instant } from "../../time/iso.ts";
import type { Wait } from "../execution/step-context.ts";
import type { Evaluate } from "../expressions/cel.ts";
import { invalidInputError } from "./service-errors.ts";

/** @param title `SERVICE.ACTION` */
export function compileDelay(delay: DelayAction, title: string, input: Evaluate): Wait {
  return {
    kind: "wait",
    input,
    wakeUp(scope) {
      const args = delay.input["~standard"].validate(input(scope));
      // The built-in delay actions use Valibot, which validates synchronously.
      if (args instanceof Promise) throw new TypeError(`The input schema of ${title} must validate synchronously.`);
      if (args.issues) throw invalidInputError(title, args.issues);
      const until = delay.until(args.value as never, scope.now.getTime()); // validated by the action's schema
      const at = Math.round(until); // stored in whole milliseconds; a fraction would wake the run too early
      return { at, output: { until: instant(at) } };
    },
  };
}
