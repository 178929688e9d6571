/** A process that creates documents in a SQLite store until it is killed. */
import sqlite from "../../../adapters/storage/sqlite/sqlite.ts";
import { systemClock } from "../../../src/time/system-clock.ts";
import { createUntilKilled } from "../../faults/create-until-killed.ts";
import { silent } from "../../support/storage/open.ts";

const [file = "", round = "0"] = process.argv.slice(2);
await createUntilKilled(sqlite({ file }).createStore({ clock: systemClock, logger: silent }), Number(round));
