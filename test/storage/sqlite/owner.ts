/** A process that owns the file of a SQLite store until it is killed. */
import sqlite from "../../../adapters/storage/sqlite/sqlite.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { silent } from "../../support/storage/open.ts";

const store = sqlite({ file: process.argv[2] ?? "" }).createStore({ clock: systemClock, logger: silent });
await store.commit([{ key: "thing:owned", document: { by: "owner" } }]);
console.log("stored");
setInterval(() => undefined, 1_000);
