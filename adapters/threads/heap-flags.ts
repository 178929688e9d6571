/**
 * Lifts the heap flags of the process while a thread starts. In V8, `--max-old-space-size` of the process takes precedence
 * over `resourceLimits` of a thread, and neither `execArgv` nor `env` of the thread changes that. V8 reads the flag once for
 * each heap, when it creates it.
 */
import process from "node:process";
import { setFlagsFromString } from "node:v8";

const FLAG = /^--max[-_](old[-_]space|heap)[-_]size=\d+$/;

/** Threads that are starting. */
let starting = 0;

/** @returns Sets the flags again, once. Call it when the heap of the thread exists. */
export function liftHeapFlags(): () => void {
  const flags = heapFlags();
  if (flags.length === 0) return () => undefined;
  if (starting++ === 0) setFlags(flags.map((flag) => `${flag.slice(0, flag.indexOf("="))}=0`));
  let isLifted = true;
  return () => {
    if (!isLifted) return;
    isLifted = false;
    if (--starting === 0) setFlags(flags);
  };
}

/** Those of the command line take precedence, so they are last. */
function heapFlags(): readonly string[] {
  const inherited = (process.env["NODE_OPTIONS"] ?? "").split(/\s/);
  return [...inherited, ...process.execArgv].filter((flag) => FLAG.test(flag));
}

function setFlags(flags: readonly string[]): void {
  try {
    for (const flag of flags) setFlagsFromString(flag);
  } catch {
    // Bun and Deno may have the environment of Node.js, but not its flags.
  }
}
