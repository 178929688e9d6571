/** A process that creates documents in a folder until it is killed. */
import fs from "../../adapters/storage/fs/fs.ts";
import { openStore } from "../support/storage/open.ts";
import { createUntilKilled } from "./create-until-killed.ts";

const [base = "", round = "0"] = process.argv.slice(2);
await createUntilKilled(openStore(fs({ base }), { checkpointRecords: 20 }), Number(round));
