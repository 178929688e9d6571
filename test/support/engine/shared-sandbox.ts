/** One sandbox for all services of a worker: starting its threads takes longer than most tests. */
import { createQuickjsSandbox } from "../../../adapters/sandbox/quickjs.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";

/** Closing a service does not close it. Its threads don't keep the worker alive. */
export const sharedSandbox: Sandbox = { ...createQuickjsSandbox(), close: async () => undefined };
