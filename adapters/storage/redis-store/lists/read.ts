import type { Script } from "../script.ts";

/**
 * Runs a script that reads, and returns what it answered behind its first item. No answer shows a commit that may still
 * be rejected.
 */
export type Read = (action: string, script: Script, args: readonly (string | number)[]) => Promise<readonly unknown[]>;
