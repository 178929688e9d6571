/** Takes the place of `worker-program.ts` in Cloudflare Workers (condition `workerd`), which have no threads. */
import type { StartHashWorker } from "../hash-thread.ts";

export const startHashWorker: StartHashWorker = () => Promise.reject(new Error("This runtime has no worker threads."));
