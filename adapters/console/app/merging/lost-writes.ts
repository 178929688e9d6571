/** Remembers what was sent without a response: it may be stored, or not. */
import { StepwellError } from "../../../../src/client/index.ts";
import { isSameJson } from "./same-json.ts";
import type { Way } from "./save-merged.ts";

/** Each one once; the last one was sent last. */
export interface LostWrites<Fields> {
  current: readonly Fields[];
}

export function rememberingLost<Resource extends object, Fields extends object>(
  write: Way<Resource, Fields>["write"],
  lost: LostWrites<Fields>,
): Way<Resource, Fields>["write"] {
  return async (fields, base) => {
    try {
      return await write(fields, base);
    } catch (cause) {
      if (!isRefused(cause)) lost.current = [...lost.current.filter((one) => !isSameJson(one, fields)), fields];
      throw cause;
    }
  };
}

/** Said by what is between the page and the server, too, which does not know what the server did. */
const REQUEST_TIMEOUT = 408;

/** A response that says that the request was refused, so that nothing was stored. */
const isRefused = (cause: unknown): boolean =>
  cause instanceof StepwellError && cause.status < 500 && cause.status !== REQUEST_TIMEOUT;
