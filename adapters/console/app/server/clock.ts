/** The clock of the server. That of the browser may be wrong, and times of runs are the server's. */

/** Responses say whole seconds, and take their time. */
const TOLERANCE_MS = 5_000;

let aheadMs = 0;

/** Call it with each response of the server. */
export function noteDate({ headers }: Response): void {
  const ahead = Date.parse(headers.get("date") ?? "") - Date.now();
  // A stored response says when it was sent.
  if (Number.isNaN(ahead) || headers.has("age")) return;
  aheadMs = Math.abs(ahead) > TOLERANCE_MS ? ahead : 0;
}

/** Milliseconds since 1970 by the clock of the server. */
export const serverNow = (): number => Date.now() + aheadMs;
