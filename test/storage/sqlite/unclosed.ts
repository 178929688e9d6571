/** A process that stores a document and has nothing more to do. */
import sqlite from "../../../adapters/storage/sqlite/sqlite.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { silent } from "../../support/storage/open.ts";

const store = sqlite({ file: process.argv[2] ?? "" }).createStore({ clock: systemClock, logger: silent });
await store.commit([{ key: "thing:one", document: {} }]);
console.log("stored");
