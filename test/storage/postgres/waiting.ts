/** A process that waits for a database that does not respond, and has nothing else to do. */
import postgres from "../../../adapters/storage/postgres/postgres.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { silent } from "../../support/storage/open.ts";

const store = postgres({ url: process.argv[2] ?? "", timeoutMs: 500 }).createStore({
  clock: systemClock,
  logger: silent,
});
console.log(await store.get("thing:one").catch((error: Error) => error.message));
