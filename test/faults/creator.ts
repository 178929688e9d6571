/** A process that creates documents as fast as it can and prints each acknowledged one, until it is killed. */
import { writeSync } from "node:fs";
import fs from "../../adapters/storage/fs/fs.ts";
import { openStore } from "../support/storage/open.ts";
import { idOf } from "./creation.ts";

const [base = "", round = "0"] = process.argv.slice(2);
const store = openStore(fs({ base }), { checkpointRecords: 20 });
let count = 0;

async function create(): Promise<void> {
  for (;;) {
    const id = idOf(Number(round), count++);
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
