/** Takes the place of `worker-program.ts` in Cloudflare Workers (condition `workerd`), which have no threads. */
import { programWithoutThreads } from "../../threads/without-threads.ts";

export const sandboxProgram = programWithoutThreads(
  'Code steps need { sandbox: createInlineSandbox({ wasm }) } from "stepwell/sandbox/inline"',
);
