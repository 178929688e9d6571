/** A process that owns the file of a SQLite store until it is killed. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import sqlite from "../../../adapters/storage/sqlite/sqlite.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { silent } from "../../support/storage/open.ts";

const store = sqlite({ file: process.argv[2] ?? "" }).createStore({ clock: systemClock, logger: silent });
await store.commit([{ key: "thing:owned", document: { by: "owner" } }]);
console.log("stored");
const [, , , folder] = process.argv;
if (folder !== undefined) {
  // Closing a file ends the locks that POSIX gives the process on it.
  for (const name of readdirSync(folder)) if (statSync(join(folder, name)).isFile()) readFileSync(join(folder, name));
  console.log("copied");
}
setInterval(() => undefined, 1_000);
