/**
 * Replaces the pauses of a program: the first PAUSES of them take no time, and the next one never ends, so that a test can
 * kill the process in it however slow the machine is.
 */
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

let left = Number(process.env.PAUSES);

timers.setTimeout = async () => {
  if (left-- > 0) return;
  console.log("pauses here");
  await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1));
};
syncBuiltinESMExports();
