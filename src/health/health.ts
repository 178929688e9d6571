/** Which parts of the service are not ready. */
import type { Background, Problem } from "../background.ts";
import type { Store } from "../ports/store.ts";

export interface Health {
  /** Empty when all is well. Never rejects. */
  problems(): Promise<readonly Problem[]>;
}

/** A key that no document has: asking for it shows whether the storage answers, and whether it is still this process's. */
export const PROBE = "health:probe";

export function createHealth({ background, store }: { background: Background; store: Store }): Health {
  return {
    async problems() {
      const found = background.problems();
      if (found.some(({ reason }) => reason === "storage unavailable")) return found;
      try {
        await store.get(PROBE);
        return found;
      } catch {
        return [...found, { part: "storage", reason: "storage unavailable", failures: 1 }];
      }
    },
  };
}
