/** A process that stores documents until it is killed, and prints the IDs of those that are acknowledged. */
import postgres from "../../../adapters/storage/postgres/postgres.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { SILENT } from "../../support/storage/silent.ts";

const [url, schema] = process.argv.slice(2);
const store = postgres({ url, schema }).createStore({ clock: systemClock, logger: SILENT });
let count = 0;

async function lane(): Promise<never> {
  for (;;) {
    const id = `id${String(count++).padStart(6, "0")}`;
    await store.commit([
      { key: `thing:${id}`, document: { id }, expected: null, rows: [{ list: "things", put: { id, marks: ["x"] } }] },
    ]);
    console.log(id);
  }
}

await Promise.all(Array.from({ length: 8 }, lane));
