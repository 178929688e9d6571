/** Creates documents as fast as it can and prints each acknowledged one, until the process is killed. */
import { writeSync } from "node:fs";
import type { Store } from "../../src/ports/store.ts";
import { idOf } from "./creation.ts";

export async function createUntilKilled(store: Store, round: number): Promise<void> {
  let count = 0;
  async function create(): Promise<void> {
    for (;;) {
      const id = idOf(round, count++);
      const rows = [{ list: "things", put: { id, text: id } }];
      await store.commit([
        { key: `thing:${id}`, document: { id, filler: "x".repeat(500) }, rows },
        { key: `other:${id}`, document: { id } },
      ]);
      writeSync(1, `${id}\n`);
      if (count % 5 === 0) await store.commit([{ key: `other:${id}`, document: null, expected: 1 }]);
    }
  }
  await Promise.all(Array.from({ length: 4 }, create));
}
