/** Takes the place of `worker-program.ts` in Cloudflare Workers (condition `workerd`), which have no threads. */
import { programWithoutThreads } from "../../threads/without-threads.ts";

export const extractProgram = programWithoutThreads(
  "Reading documents needs { extractor } with one of yours, such as one that calls a server that runs Stepwell",
);
