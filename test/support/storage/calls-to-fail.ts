/** Calls of a driver that fail, each in a case of its own: some in `npm test`, every one in `npm run fault-matrix`. */
import { times } from "../sample.ts";

/** What `test/fault-matrix.js` sets. */
const isMatrix = process.env["FAULT_MATRIX"] === "every call";

/**
 * Numbers of calls from 1 to `calls`, at equal distances.
 * @param fault Its name decides where they begin, so that different faults hit different calls.
 * @param most Cases in `npm run test:full`. `npm test` has two thirds of them.
 */
export function callsToFail(calls: number, fault: string, most = 6): readonly number[] {
  const cases = isMatrix ? calls : Math.min(times(Math.ceil((2 * most) / 3), most), calls);
  const phase = (fault.length % most) / most;
  return Array.from({ length: cases }, (_, index) => 1 + Math.floor(((index + phase) * calls) / cases));
}
