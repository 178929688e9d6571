/** A service step that lets its run wait until a moment: it holds nothing in memory meanwhile. */

import type { DelayAction } from "../../services/service.ts";
import { instant } from "../../time/iso.ts";
import type { Wait } from "../execution/step-context.ts";
import type { Evaluate } from "../expressions/cel.ts";
import { invalidInputError } from "./service-errors.ts";

/** @param title `SERVICE.ACTION` */
export function compileDelay(pause: DelayAction, title: string, input: Evaluate): Wait {
  return {
    kind: "wait",
    wakeUp(scope) {
      const args = pause.input["~standard"].validate(input(scope));
      // Those that are built in are of valibot, and none of them asks anybody.
      if (args instanceof Promise) throw new TypeError(`The input schema of ${title} must validate synchronously.`);
      if (args.issues) throw invalidInputError(title, args.issues);
      const until = pause.until(args.value as never, scope.now.getTime()); // its own schema made it
      const at = Math.round(until); // as it is stored: woken for a part of a millisecond, it would be too early
      return { at, output: { until: instant(at) } };
    },
  };
}
