/** Remembers what was sent without a response: it may be stored, or not. */
import { isRefusal } from "../server/refusal.ts";
import { isSameJson } from "./same-json.ts";
import type { Way } from "./save-merged.ts";

/** Each one once; the last one was sent last. */
export interface LostWrites<Fields> {
  current: readonly Fields[];
}

export function rememberLost<Resource extends object, Fields extends object>(
  write: Way<Resource, Fields>["write"],
  lost: LostWrites<Fields>,
): Way<Resource, Fields>["write"] {
  return async (fields, base) => {
    try {
      return await write(fields, base);
    } catch (cause) {
      if (!isRefusal(cause)) lost.current = [...lost.current.filter((one) => !isSameJson(one, fields)), fields];
      throw cause;
    }
  };
}
